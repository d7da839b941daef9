#pragma once

#include <string>

#include <gtest/gtest.h>

#include "weft/testing.hpp"

namespace weft_test {

/// Makes a failed expectation a failure of the explored run, which is in a child process, whose
/// gtest results are lost.
class ReportToExplorer final : public ::testing::EmptyTestEventListener {
  void OnTestPartResult(const ::testing::TestPartResult& result) override {
    if (!result.failed()) return;
    const char* file = result.file_name() != nullptr ? result.file_name() : "unknown file";
    weft::testing::fail("expectation: " + std::string{file} + ":" +
                        std::to_string(result.line_number()) + "\n" + result.message());
  }
};

inline const bool explorer_is_connected = [] {
  ::testing::UnitTest::GetInstance()->listeners().Append(new ReportToExplorer);
  return true;
}();

}  // namespace weft_test
