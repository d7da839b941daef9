#include "weft/extend/section.hpp"

#include "scheduler/cold_state.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/error.hpp"

namespace weft {

CoroutineBase& Scheduler::begin_section(Section& section, const char* operation) {
  Scheduler& scheduler = here(operation);
  if (scheduler.in_phase() || !scheduler.has_current()) refuse_to_suspend(operation);
  CoroutineBase& me = scheduler.current();
  section.outer_ = me.cold_state().innermost;
  section.uncaught_ = scheduler.exceptions_->uncaught;
  section.shielding_ = scheduler.is_unwinding(me);
  if (section.shielding_) ++me.shields_;  // an outer cancellation must not leave the destructor
  section.protections_ = me.protect_depth_;
  section.shields_ = me.shields_;
  me.cold_state().innermost = &section;
  return me;
}

void Scheduler::end_section(Section& section) noexcept {
  CoroutineBase& coroutine = section.coroutine_;
  coroutine.cold_state_->innermost = section.outer_;
  if (section.shielding_) --coroutine.shields_;
  if (coroutine.deferred_ == CancelReason::section && !has_section_to_end(section.outer_)) {
    coroutine.deferred_ = CancelReason::none;
  }
}

/// Whether a destructor runs that unwinding has called since the innermost section began: an
/// exception from it would terminate the program.
bool Scheduler::is_unwinding(const CoroutineBase& me) const noexcept {
  const Section* innermost = me.cold_state_ != nullptr ? me.cold_state_->innermost : nullptr;
  return exceptions_->uncaught > (innermost != nullptr ? innermost->uncaught_ : 0);
}

/// Whether a section was cancelled and has not thrown that yet, protected or not.
bool Scheduler::has_section_to_end(const Section* innermost) noexcept {
  const Section* section = innermost;
  while (section != nullptr && (!section->cancelled_ || section->thrown_))
    section = section->outer_;
  return section != nullptr;
}

/// The outermost section that was cancelled, has not thrown that yet, and is not protected. What
/// protected the coroutine before the section began does not protect the section.
Section* Scheduler::section_to_end(const CoroutineBase& coroutine) noexcept {
  if (coroutine.cold_state_ == nullptr) return nullptr;
  Section* found = nullptr;
  for (Section* s = coroutine.cold_state_->innermost; s != nullptr; s = s->outer_) {
    if (s->cancelled_ && !s->thrown_ && coroutine.shields_ <= s->shields_ &&
        (coroutine.protect_depth_ <= s->protections_ || coroutine.ignores_protection_)) {
      found = s;
    }
  }
  return found;
}

/// The error to throw in `section`. Sections inside it end with it; those around it, and the
/// coroutine, may have to end later.
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
