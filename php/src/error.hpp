#pragma once

#include <exception>

#include "value.hpp"

namespace weft_php {

/// An exception of PHP as the runtime carries it.
class Thrown : public std::exception {
 public:
  explicit Thrown(Value error) noexcept : error_{std::move(error)} {}
  [[nodiscard]] const Value& error() const noexcept { return error_; }
  /// The message, for warnings of the runtime. Runs no PHP code.
  [[nodiscard]] const char* what() const noexcept override;

 private:
  Value error_;
};

/// A cancellation of PHP as the runtime carries it.
class ThrownCancellation : public weft::Cancelled {
 public:
  explicit ThrownCancellation(Value error) noexcept : error_{std::move(error)} {}
  [[nodiscard]] const Value& error() const noexcept { return error_; }

 private:
  Value error_;
};

/// PHP code was left for good: by `exit`, or by a fatal error.
struct Unwound {
  enum class How { exit, bailout };
  How how;
};

/// Takes the exception in flight out of the engine; Unwound for `exit`.
[[nodiscard]] std::exception_ptr take_exception() noexcept;
/// The error that carries `exception` through the runtime; Unwound for `exit`.
[[nodiscard]] std::exception_ptr as_error(zend_object& exception);
/// The PHP object for `error`: the one it carries, or a new one of the class that stands for it.
/// Undefined if it is an Unwound. In the engine.
[[nodiscard]] Value as_object(const std::exception_ptr& error);
/// The cancellation that `exception` is, or that is among its previous ones; null if none. A
/// function that was cancelled may throw an error of its own, with the cancellation as the previous
/// one, as mysqli does. An exception that code of the user throws is no cancellation, whatever its
/// previous ones are.
[[nodiscard]] zend_object* cancellation_in(zend_object& exception) noexcept;
/// The Unwound that `error` is, or that is among the errors of a composite; null if there is none.
[[nodiscard]] const Unwound* unwound(const std::exception_ptr& error) noexcept;

/// Throws `exception` in PHP; one in flight becomes its previous.
void throw_in_php(Value exception);
void throw_in_php(const std::exception_ptr& error);
/// Makes `replaced` the previous exception of the one in flight, if there is one.
void chain_to_exception(const std::exception_ptr& replaced);
/// A new object of an exception class, with `text` and an optional previous one.
[[nodiscard]] Value make_exception(zend_class_entry* ce, const char* text,
                                   const Value& previous = {});
/// The AsyncCancellation given by a user, or a new one with `text`.
[[nodiscard]] std::exception_ptr cancellation_from(zend_object* given, const char* text);

}  // namespace weft_php
