#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "failures.hpp"
#include "weft/weft.hpp"

namespace weft_test {

[[noreturn]] inline void fail(const char* what) { throw std::runtime_error{what}; }

using Texts = std::vector<std::string>;

/// The texts of the errors of a CompositeError.
inline Texts texts(const std::exception_ptr& error) {
  if (!is<weft::CompositeError>(error)) return {"no composite: " + text(error)};
  Texts all;
  try {
    std::rethrow_exception(error);
  } catch (const weft::CompositeError& composite) {
    for (const std::exception_ptr& each : composite.errors()) all.push_back(text(each));
  }
  return all;
}

}  // namespace weft_test
