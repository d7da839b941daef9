#pragma once

#include "weft/detail/abi.hpp"

namespace weft {

class Cancelled;
class CoroutineBase;
class Scheduler;

/// A part of a coroutine that can be cancelled without the rest: the current or next suspension
/// inside it throws Cancelled, and the creator of the section catches it if `caused()` says so.
/// Underneath with_timeout() and with_scope(). Sections nest; of several cancelled ones the
/// outermost is ended. A protect() inside it defers its end, one around it does not. A section that
/// begins in a destructor while an exception unwinds ends like any other, and until then nothing
/// from outside is thrown into it.
class Section {
 public:
  /// Begins a section in the current coroutine. Throws std::bad_alloc, and outside a coroutine
  /// MisuseError, which names `operation`.
  explicit Section(const char* operation = "Section");
  /// Ends the section; a cancellation that was not thrown yet is dropped.
  ~Section();
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

  /// A second call does nothing. A cancellation of the whole coroutine takes precedence.
  void cancel() noexcept;
  /// Whether the section was cancelled.
  [[nodiscard]] bool is_cancelled() const noexcept { return cancelled_; }
  /// Whether `cancelled` was thrown to end this section.
  [[nodiscard]] bool caused(const Cancelled& cancelled) const noexcept;

 private:
  friend class Scheduler;
  CoroutineBase& coroutine_;
  Section* outer_;
  unsigned protections_;  // around it, which do not defer its end
  unsigned shields_;
  unsigned uncaught_;  // exceptions in flight when it began
  bool shielding_;     // it began in a destructor during unwinding
  bool cancelled_ = false;
  bool thrown_ = false;
};

}  // namespace weft
