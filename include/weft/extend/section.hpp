#pragma once

namespace weft {

class Cancelled;
class CoroutineBase;
class Scheduler;

/// A part of a coroutine that can be cancelled without the rest: the present or next suspension
/// inside it throws Cancelled, and whoever made the section catches what `caused()` says is its
/// own. Underneath with_timeout() and with_scope(). Sections nest; of several cancelled ones the
/// outermost is thrown to. A protect() inside it defers its end, one around it does not. One that
/// begins in a destructor while an exception unwinds ends like any other, and until then nothing
/// from outside is thrown into it.
class Section {
 public:
  /// Begins in the current coroutine. Throws std::bad_alloc, and outside a coroutine MisuseError,
  /// which says that `operation` was called there.
  explicit Section(const char* operation = "Section");
  /// Ends; a cancellation that no suspension has thrown is forgotten.
  ~Section();
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

  /// Does nothing the second time. A cancellation of the whole coroutine goes before.
  void cancel() noexcept;
  [[nodiscard]] bool is_cancelled() const noexcept { return cancelled_; }
  /// Whether `cancelled` was thrown to end this section.
  [[nodiscard]] bool caused(const Cancelled& cancelled) const noexcept;

 private:
  friend class Scheduler;
  CoroutineBase& coroutine_;
  Section* outer_;
  unsigned protections_;  // around it, which do not keep it from ending
  unsigned shields_;
  unsigned uncaught_;  // exceptions in flight when it began
  bool shielding_;     // it began in a destructor that unwinding called
  bool cancelled_ = false;
  bool thrown_ = false;
};

}  // namespace weft
