#include "runtime/shutdown_signals.hpp"

#include <string>

#include "base/current.hpp"
#include "reactor/reactor.hpp"
#include "scheduler/scheduler.hpp"
#include "signal/signal_table.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

constexpr int signal_status = 128;  // a shell's exit status for a program that a signal has ended

}  // namespace

/// Hidden: it keeps no program running that waits for nothing else.
class ShutdownSignals::Watch final : public Callback {
 public:
  Watch(ShutdownSignals& owner, int number) : owner_{owner}, event_{number} {
    event_.set_hidden(true);
    event_.start();  // first: it may throw
    event_.add_callback(*this);
    SignalTable::of(owner.reactor_).end_at_second(number, true);
  }
  ~Watch() override { release(); }

  void release() noexcept {
    if (!is_subscribed()) return;
    SignalTable::of(owner_.reactor_).end_at_second(event_.number(), false);
    event_.stop();
    event_.remove_callback(*this);
  }
  void on_notify(Event& /*event*/, const Outcome& /*outcome*/) noexcept override {
    if (SignalTable::of(owner_.reactor_).is_only(event_)) owner_.received(event_.number());
  }

 private:
  ShutdownSignals& owner_;
  SignalEvent event_;
};

ShutdownSignals::ShutdownSignals(Reactor& reactor, const std::vector<int>& numbers)
    : reactor_{reactor} {
  for (const int number : numbers) watches_.push_back(std::make_unique<Watch>(*this, number));
}

ShutdownSignals::~ShutdownSignals() { release(); }

void ShutdownSignals::release() noexcept {
  for (const std::unique_ptr<Watch>& watch : watches_) watch->release();
}

void ShutdownSignals::received(int number) noexcept {
  release();
  Scheduler& scheduler = *current_thread.scheduler;
  try {
    scheduler.ending().shutdown(
        "Signal " + std::to_string(number),
        std::make_exception_ptr(ExitRequested{signal_status + number, number}));
  } catch (...) {
    scheduler.ending().shutdown({}, std::current_exception());
  }
}

}  // namespace weft
