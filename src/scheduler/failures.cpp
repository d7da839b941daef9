#include "scheduler/failures.hpp"

#include <string>
#include <utility>

#include "base/warning.hpp"
#include "scheduler/ending.hpp"
#include "scheduler/owner.hpp"
#include "weft/error.hpp"

namespace weft {

void Failures::report(CoroutineBase& coroutine) noexcept {
  coroutine.set(Event::error_caught_flag);
  try {
    warn(coroutine.info() + " failed, and its error was not read before the runtime ended: " +
         describe(coroutine.waker_.error_));
  } catch (...) {
    warn("a coroutine failed, and its error was not read before the runtime ended");
  }
}

void Failures::report_held() noexcept {
  for (CoroutineBase* c = held_.first(); c != nullptr; c = CoroutineList::next(*c)) {
    if (!c->has(Event::error_caught_flag)) report(*c);
  }
}

void Failures::forget_all_held() noexcept {
  while (CoroutineBase* failed = held_.first()) forget(*failed);
}

void Failures::report_dropped() noexcept {
  while (CoroutineBase* failed = dropped_.first()) {
    report(*failed);
    dropped_.remove(*failed);
    unpin(*failed);
    failed->release();
  }
}

void Failures::hold(CoroutineBase& coroutine) noexcept {
  held_.push_back(coroutine);
  coroutine.held_ = true;
  coroutine.owner_->pin();
}

void Failures::forget(CoroutineBase& coroutine) noexcept {
  held_.remove(coroutine);
  coroutine.held_ = false;
  unpin(coroutine);
}

void Failures::unpin(CoroutineBase& coroutine) noexcept {
  std::exchange(coroutine.owner_, nullptr)->unpin();
}

bool Failures::handle_dropped(CoroutineBase& coroutine) noexcept {
  if (coroutine.has(Event::error_caught_flag)) {
    forget(coroutine);
    return false;
  }
  coroutine.set(Event::error_caught_flag);
  held_.remove(coroutine);
  coroutine.held_ = false;
  coroutine.retain();
  dropped_.push_back(coroutine);
  return true;
}

void Failures::flush(Ending& ending) noexcept {
  while (CoroutineBase* coroutine = dropped_.first()) {
    const Ref<CoroutineBase> keep = Ref<CoroutineBase>::adopt(coroutine);
    const std::exception_ptr error = coroutine->waker_.error_;
    if (!coroutine->owner_->take_error(*coroutine, error)) ending.fail(error);
    dropped_.remove(*coroutine);
    unpin(*coroutine);
  }
}

}  // namespace weft
