#include "signal/signal_table.hpp"

#include <csignal>
#include <utility>

#include "reactor/reactor.hpp"
#include "weft/extend/signal_event.hpp"

namespace weft {

SignalTable& SignalTable::of(Reactor& reactor) { return reactor.table<SignalTable>(); }

/// Native handlers wake this handle. Made with the first signal: until then no loop is needed.
void SignalTable::open() {
  async_.open(
      [&](uv_async_t* handle) {
        handle->data = this;
        return uv_async_init(&reactor_.loop(), handle, [](uv_async_t* knocked) {
          static_cast<SignalTable*>(knocked->data)->deliver();
        });
      },
      "cannot make the loop's handle for signals");
  inbox_.async = async_.get();
}

SignalTable::~SignalTable() {
  for (int number = 1; number < signal_limit; ++number) {
    block_again(number, row(number));
    SignalHandlers::remove(number, inbox_);
  }
}

void SignalTable::add_user(int number) {
  if (async_.get() == nullptr) open();
  SignalHandlers::add(number, inbox_);
  ++row(number).wanted;
}

void SignalTable::remove_user(int number) noexcept {
  if (--row(number).wanted == 0) SignalHandlers::remove(number, inbox_);
}

void SignalTable::after_fork() {
  for (int number = 1; number < signal_limit; ++number) {
    if (row(number).wanted > 0) SignalHandlers::add(number, inbox_);
  }
}

/// The parent may have blocked signals, and masks are inherited. An event that waits for a blocked
/// signal would wait for ever.
void SignalTable::unblock(int number, Row& row) noexcept {
  sigset_t one;
  sigset_t before;
  sigemptyset(&one);
  sigaddset(&one, number);
  if (::pthread_sigmask(SIG_UNBLOCK, &one, &before) == 0) {
    row.unblocked = sigismember(&before, number) == 1;
  }
}

void SignalTable::block_again(int number, Row& row) noexcept {
  if (!std::exchange(row.unblocked, false)) return;
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  ::pthread_sigmask(SIG_BLOCK, &one, nullptr);
}

void SignalTable::add(SignalEvent& event) {
  add_user(event.number_);
  Row& row = this->row(event.number_);
  if (row.events.empty()) unblock(event.number_, row);  // our handler gets pending ones
  row.events.push_back(event);
  update_end(event.number_);
}

void SignalTable::remove(SignalEvent& event) noexcept {
  Row& row = this->row(event.number_);
  row.events.remove(event);
  update_end(event.number_);
  if (row.events.empty()) block_again(event.number_, row);
  remove_user(event.number_);
}

void SignalTable::end_at_second(int number, bool on) noexcept {
  row(number).ends = on;
  update_end(number);
}

void SignalTable::update_end(int number) noexcept {
  const Row& row = this->row(number);
  const SignalEvent* const first = row.events.first();
  inbox_.end_at_second(number, row.ends && first != nullptr && is_only(*first));
}

bool SignalTable::is_only(const SignalEvent& event) noexcept {
  return row(event.number_).events.first() == &event && event.list_links_.next() == nullptr;
}

void SignalTable::deliver() noexcept {
  for (int number = 1; number < signal_limit; ++number) {
    if (row(number).wanted == 0) continue;
    std::uint32_t count = inbox_.take(number);
    if (count == 0) continue;
    if (row(number).listener != nullptr) row(number).listener->signal_arrived();
    for (; count > 0 && !row(number).events.empty(); --count) notify_events(number);
  }
}

/// Notifies every event that is armed now, unless it is stopped before its turn.
void SignalTable::notify_events(int number) noexcept {
  row(number).events.notify([this](SignalEvent& event) {
    reactor_.delivered();
    event.deliver();
  });
}

}  // namespace weft
