#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "weft/weft.hpp"

namespace weft_test {

/// The exception that leaves `body`, or null.
template <class F>
std::exception_ptr error_of(F&& body) {
  try {
    std::forward<F>(body)();
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

/// The errno of a std::system_error; 0 for another error.
inline int code_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::system_error& failure) {
    return failure.code().value();
  } catch (...) {
    return 0;
  }
}

/// Whether `error` is an E.
template <class E>
bool is(const std::exception_ptr& error) {
  if (!error) return false;
  try {
    std::rethrow_exception(error);
  } catch (const E&) {
    return true;
  } catch (...) {
    return false;
  }
}

/// The text of `error` without weft::describe(): "nothing", "cancelled: reason", or what().
inline std::string text(const std::exception_ptr& error) {
  if (!error) return "nothing";
  try {
    std::rethrow_exception(error);
  } catch (const weft::Cancelled& cancelled) {
    return std::string{"cancelled: "} + cancelled.reason();
  } catch (const std::exception& failure) {
    return failure.what();
  } catch (...) {
    return "something else";
  }
}

/// Options that drop warnings, for tests that provoke warnings but check something else.
inline weft::Options quiet() {
  weft::Options options;
  options.on_warning = [](std::string_view) {};
  return options;
}

}  // namespace weft_test
