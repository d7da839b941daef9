#include "weft/extend/section.hpp"

#include "scheduler/extras.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/error.hpp"

namespace weft {

CoroutineBase& Scheduler::begin_section(Section& section, const char* operation) {
  Scheduler& scheduler = here(operation);
  if (scheduler.in_phase() || !scheduler.has_current()) refuse_to_suspend(operation);
  CoroutineBase& me = scheduler.current();
  section.outer_ = me.extras().innermost;
  section.uncaught_ = scheduler.exceptions_->uncaught;
  section.shielding_ = scheduler.is_unwinding(me);
  if (section.shielding_) ++me.shields_;  // what is around it must not leave the destructor
  section.protections_ = me.protect_depth_;
  section.shields_ = me.shields_;
  me.extras().innermost = &section;
  return me;
}

void Scheduler::end_section(Section& section) noexcept {
  CoroutineBase& coroutine = section.coroutine_;
  coroutine.extras_->innermost = section.outer_;
  if (section.shielding_) --coroutine.shields_;
  if (coroutine.deferred_ == CancelReason::section && !has_section_to_end(section.outer_)) {
    coroutine.deferred_ = CancelReason::none;
  }
}

/// Whether a destructor runs that unwinding called since the innermost section began: what is
/// thrown there would end the program.
bool Scheduler::is_unwinding(const CoroutineBase& me) const noexcept {
  const Section* innermost = me.extras_ != nullptr ? me.extras_->innermost : nullptr;
  return exceptions_->uncaught > (innermost != nullptr ? innermost->uncaught_ : 0);
}

/// Whether one was cancelled and not thrown to yet, be it protected or not.
bool Scheduler::has_section_to_end(const Section* innermost) noexcept {
  const Section* section = innermost;
  while (section != nullptr && (!section->cancelled_ || section->thrown_))
    section = section->outer_;
  return section != nullptr;
}

/// The outermost that was cancelled, was not thrown to yet, and is not protected. What protected
/// the coroutine before the section began protects from the end of more than this part.
Section* Scheduler::section_to_end(const CoroutineBase& coroutine) noexcept {
  if (coroutine.extras_ == nullptr) return nullptr;
  Section* found = nullptr;
  for (Section* s = coroutine.extras_->innermost; s != nullptr; s = s->outer_) {
    if (s->cancelled_ && !s->thrown_ && coroutine.shields_ <= s->shields_ &&
        (coroutine.protect_depth_ <= s->protections_ || coroutine.lifted_)) {
      found = s;
    }
  }
  return found;
}

/// What is to be thrown to it. Sections inside it end with it; those around it, and the whole, may
/// still have to.
std::exception_ptr Scheduler::end_of(Section& section, std::exception_ptr met) noexcept {
  section.thrown_ = true;
  CancelReason& deferred = section.coroutine_.deferred_;
  if (deferred == CancelReason::section && !has_section_to_end(section.outer_)) {
    deferred = CancelReason::none;
  }
  return std::make_exception_ptr(Cancelled::of_section(section, std::move(met)));
}

Section::Section(const char* operation) : coroutine_{Scheduler::begin_section(*this, operation)} {}

Section::~Section() { Scheduler::end_section(*this); }

void Section::cancel() noexcept {
  if (cancelled_) return;
  cancelled_ = true;
  Scheduler* scheduler = current_thread.scheduler;
  if (scheduler != nullptr) scheduler->cancel(coroutine_, CancelReason::section, {});
}

bool Section::caused(const Cancelled& cancelled) const noexcept {
  return cancelled.section() == this;
}

}  // namespace weft
