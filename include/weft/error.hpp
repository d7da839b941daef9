#pragma once

#include "weft/detail/abi.hpp"

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace weft {

class Section;

/// Thrown at a suspension point of a coroutine that was cancelled. Deliberately not a
/// std::exception: code that handles errors does not swallow it by accident. Derived classes are
/// cancellations too, such as one that carries an error of a host.
class Cancelled {
 public:
  /// With `reason` as its text; an empty one gives "Coroutine cancelled".
  explicit Cancelled(std::string reason = {}, std::exception_ptr previous = {}) noexcept
      : reason_{std::move(reason)}, previous_{std::move(previous)} {}
  /// For texts that live as long as the program; copies nothing.
  static Cancelled with_literal(const char* reason, std::exception_ptr previous = {}) noexcept {
    Cancelled cancelled{std::string{}, std::move(previous)};
    cancelled.literal_ = reason;
    return cancelled;
  }

  /// Cancels a section of a coroutine instead of all of it; see Section.
  static Cancelled of_section(const Section& section, std::exception_ptr previous = {}) noexcept {
    Cancelled cancelled = with_literal("Section cancelled", std::move(previous));
    cancelled.section_ = &section;
    return cancelled;
  }

  /// Why: the text given to cancel(), or a default such as "Coroutine cancelled".
  [[nodiscard]] const char* reason() const noexcept {
    return reason_.empty() ? literal_ : reason_.c_str();
  }
  /// The earlier error that is chained to this one, if any.
  [[nodiscard]] const std::exception_ptr& previous() const noexcept { return previous_; }
  /// The section to end; null for the whole coroutine.
  [[nodiscard]] const Section* section() const noexcept { return section_; }

 private:
  std::string reason_;
  const Section* section_ = nullptr;
  const char* literal_ = "Coroutine cancelled";
  std::exception_ptr previous_;
};

/// Base of weft's own errors: they keep the earlier error that is chained to them.
class Error : public std::runtime_error {
 public:
  /// With `text`, and the earlier error that it follows.
  explicit Error(const std::string& text, std::exception_ptr previous = {})
      : std::runtime_error{text}, previous_{std::move(previous)} {}
  /// The earlier error that is chained to this one; null if there is none.
  [[nodiscard]] const std::exception_ptr& previous() const noexcept { return previous_; }

 private:
  std::exception_ptr previous_;
};

/// A wait ended because its token fired first; `previous()` is the token's own error, if any.
class OperationCancelled : public Error {
 public:
  /// With `text`, and the error of the token.
  explicit OperationCancelled(const std::string& text = "Operation has been cancelled",
                              std::exception_ptr previous = {})
      : Error{text, std::move(previous)} {}
};

/// A wait took longer than its timeout() token or with_timeout() allows. Any other token gives
/// OperationCancelled; `previous()` is the token's own error as well.
class TimedOut : public OperationCancelled {
 public:
  /// With `text`, and the error of the token.
  explicit TimedOut(const std::string& text = "Operation has been cancelled by timeout",
                    std::exception_ptr previous = {})
      : OperationCancelled{text, std::move(previous)} {}
};

/// The object a coroutine waited for was destroyed: a lock, or another object with a queue of
/// waiters. The text names it and where it was created. A channel throws ChannelClosed instead, a
/// pool PoolClosed.
class ObjectDestroyed : public Error {
 public:
  using Error::Error;
};

/// The pool is closed and hands out no more resources.
class PoolClosed : public Error {
 public:
  /// With `text`, and the error that closed the pool.
  explicit PoolClosed(const std::string& text = "Pool is closed", std::exception_ptr previous = {})
      : Error{text, std::move(previous)} {}
};

/// A circuit breaker rejects requests until the service behind it has recovered.
class ServiceUnavailable : public Error {
 public:
  /// With `text`, and the error that opened the circuit breaker.
  explicit ServiceUnavailable(
      const std::string& text = "Service is unavailable (circuit breaker is open)",
      std::exception_ptr previous = {})
      : Error{text, std::move(previous)} {}
};

/// All coroutines waited and nothing could ever wake one. Ends the program after clean-up.
class DeadlockError : public Error {
 public:
  using Error::Error;
};

/// A shutdown could not end every coroutine before its deadline; the text names those that were
/// left behind.
class ShutdownError : public Error {
 public:
  using Error::Error;
};

/// exit() or a shutdown signal ended the runtime, which does not end the process by itself.
class ExitRequested : public Error {
 public:
  /// A request to exit with `code`; `signal` is the signal that caused it, if one did.
  explicit ExitRequested(int code, int signal = 0);
  /// The exit status of the process: what exit() was given, or 128 plus the number of the signal.
  [[nodiscard]] int code() const noexcept { return code_; }
  /// The signal that caused it; 0 for exit().
  [[nodiscard]] int signal() const noexcept { return signal_; }

 private:
  int code_;
  int signal_;
};

/// The library was used in a way that cannot work; the text says what to do instead.
class MisuseError : public Error {
 public:
  using Error::Error;
};

/// An argument has an invalid value.
class ValueError : public Error {
 public:
  using Error::Error;
};

/// A coroutine could not get a stack. The text names the limit that was reached.
class StackError : public Error {
 public:
  using Error::Error;
};

/// Several errors, in the order in which they occurred.
class CompositeError : public Error {
 public:
  /// Of `errors`, in this order; the text has all of theirs.
  explicit CompositeError(std::vector<std::exception_ptr> errors);
  /// The errors, in order.
  [[nodiscard]] const std::vector<std::exception_ptr>& errors() const noexcept { return errors_; }

 private:
  std::vector<std::exception_ptr> errors_;
};

/// The earlier error that is chained to `error`, or null. Error types other than weft's cannot
/// carry one: for these only the latest few hundred are remembered.
[[nodiscard]] std::exception_ptr previous(const std::exception_ptr& error) noexcept;

/// The text of `error`, whatever its type. Throws nothing but std::bad_alloc.
[[nodiscard]] std::string describe(const std::exception_ptr& error);

/// Whether `error` is a cancellation: a Cancelled or of a class derived from it.
[[nodiscard]] bool is_cancellation(const std::exception_ptr& error) noexcept;

/// `error` itself if it is a cancellation or null, else a Cancelled whose previous() it is.
[[nodiscard]] std::exception_ptr as_cancellation(std::exception_ptr error) noexcept;

}  // namespace weft
