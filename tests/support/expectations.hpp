#pragma once

#include <string>

#include <gtest/gtest.h>

#include "weft/testing.hpp"

namespace weft_test {

/// An expectation that fails in an explored run is a failure of that run: its child process has no
/// other way to tell.
class TellTheExplorer final : public ::testing::EmptyTestEventListener {
  void OnTestPartResult(const ::testing::TestPartResult& result) override {
    if (!result.failed()) return;
    const char* file = result.file_name() != nullptr ? result.file_name() : "unknown file";
    weft::testing::fail("expectation: " + std::string{file} + ":" +
                        std::to_string(result.line_number()) + "\n" + result.message());
  }
};

inline const bool explorer_is_told = [] {
  ::testing::UnitTest::GetInstance()->listeners().Append(new TellTheExplorer);
  return true;
}();

}  // namespace weft_test
