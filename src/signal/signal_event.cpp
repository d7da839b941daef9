#include "weft/extend/signal_event.hpp"

#include <csignal>

#include "reactor/reactor.hpp"
#include "signal/signal_table.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

int checked_signal(int number) {
  if (number < 1 || number >= signal_limit) {
    throw ValueError{"There is no signal " + std::to_string(number)};
  }
  if (number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL) {
    throw ValueError{"Signal " + std::to_string(number) +
                     " is the fault of the thread that gets it and cannot be waited for"};
  }
  return number;
}

}  // namespace

SignalEvent::SignalEvent(int number) : number_{checked_signal(number)} {}

SignalEvent::~SignalEvent() {
  fail_waiters();
  stop_all();
  close_quietly();
}

void SignalEvent::arm(Reactor& reactor) { SignalTable::of(reactor).add(*this); }

void SignalEvent::started_again() {
  if (kept_ && subscribers() > 0) deliver();
}

void SignalEvent::disarm(Reactor& reactor) noexcept {
  SignalTable::of(reactor).remove(*this);
  kept_ = false;
}

void SignalEvent::deliver() noexcept {
  kept_ = subscribers() == 0;
  if (!kept_) notify(Outcome::of(number_));
}

std::string SignalEvent::info() const { return "Signal(signum=" + std::to_string(number_) + ")"; }

}  // namespace weft
