#include "weft/section.hpp"

#include "scheduler/extras.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/error.hpp"

namespace weft {

CoroutineBase& Scheduler::begin_section(Section& section) {
  Scheduler& scheduler = here("a section");
  if (scheduler.in_phase() || !scheduler.has_current()) refuse_to_suspend();
  CoroutineBase& me = scheduler.current();
  section.outer_ = me.extras().innermost;
  section.protections_ = me.protect_depth_;
  section.shields_ = me.shields_;
  me.extras().innermost = &section;
  return me;
}

void Scheduler::end_section(Section& section) noexcept {
  CoroutineBase& coroutine = section.coroutine_;
  coroutine.extras_->innermost = section.outer_;
  if (coroutine.deferred_ == CancelReason::section && section_to_end(coroutine) == nullptr) {
    coroutine.deferred_ = CancelReason::none;
  }
}

/// The outermost that was cancelled and not thrown to yet.
Section* Scheduler::section_to_end(const CoroutineBase& coroutine) noexcept {
  Section* found = nullptr;
  for (Section* s = coroutine.extras_->innermost; s != nullptr; s = s->outer_) {
    if (s->cancelled_ && !s->thrown_) found = s;
  }
  return found;
}

/// What protects the coroutine was there before the section began: it protects from the end of the
/// whole, and only a part is to end.
bool Scheduler::may_end_section(const CoroutineBase& coroutine) noexcept {
  const Section* section = section_to_end(coroutine);
  return section != nullptr && coroutine.shields_ <= section->shields_ &&
         coroutine.protect_depth_ <= section->protections_;
}

void Scheduler::throw_to_section(CoroutineBase& coroutine, std::exception_ptr met) {
  Section& section = *section_to_end(coroutine);
  section.thrown_ = true;
  // Sections inside it end with it.
  throw Cancelled::of_section(section, std::move(met));
}

Section::Section() : coroutine_{Scheduler::begin_section(*this)} {}

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
