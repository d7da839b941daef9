#include "weft/extend/loop_event.hpp"

#include "base/assert.hpp"
#include "base/current.hpp"
#include "reactor/reactor.hpp"
#include "weft/error.hpp"

namespace weft {

LoopEvent::~LoopEvent() {
  WEFT_ASSERT(reactor_ == nullptr, "an event was destroyed while it was armed");
}

bool LoopEvent::start() {
  if (is_closed()) return true;
  if (reactor_ != nullptr) {
    add_loop_reference();
    started_again();
    return true;
  }
  Reactor* reactor = current_thread.reactor;
  if (reactor == nullptr) {
    throw MisuseError{"An event of the outside world can only be started inside weft::run()"};
  }
  reactor->open();
  add_loop_reference();
  reactor->armed(*this);
  try {
    arm(*reactor);
  } catch (...) {
    drop_loop_reference();
    reactor->disarmed(*this);
    throw;
  }
  return true;
}

bool LoopEvent::stop() noexcept {
  if (loop_references() == 0) return true;
  if (drop_loop_reference() > 0) return true;
  Reactor& reactor = *reactor_;
  disarm(reactor);
  reactor.disarmed(*this);
  return true;
}

void LoopEvent::stop_all() noexcept {
  if (loop_references() == 0) return;
  drop_all_loop_references();
  Reactor& reactor = *reactor_;
  disarm(reactor);
  reactor.disarmed(*this);
}

void LoopEvent::set_hidden(bool hidden) noexcept {
  if (hidden == is_hidden()) return;
  if (reactor_ != nullptr) reactor_->visibility_changes(hidden);
  set(hidden_flag, hidden);
}

}  // namespace weft
