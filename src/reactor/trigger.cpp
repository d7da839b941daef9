#include "weft/trigger.hpp"

#include "reactor/mailbox.hpp"
#include "reactor/reactor.hpp"

namespace weft {

void Trigger::fire() noexcept {
  // Under the lock from the first: once the loop's thread can see the firing, it may deliver it,
  // and the trigger may be gone.
  const std::lock_guard lock{mutex_};
  if (!open_.load()) return;
  fired_.store(true);
  if (mailbox_ != nullptr) mailbox_->post(*this);
}

void Trigger::arm(Reactor& reactor) {
  Mailbox& mailbox = reactor.mailbox();
  bool fired_before = false;
  {
    const std::lock_guard lock{mutex_};
    mailbox_ = &mailbox;
    fired_before = fired_.load();
  }
  if (fired_before) deliver();  // kept for this wait
}

void Trigger::disarm(Reactor& /*reactor*/) noexcept {
  Mailbox* mailbox = nullptr;
  {
    const std::lock_guard lock{mutex_};
    mailbox = std::exchange(mailbox_, nullptr);
  }
  if (mailbox != nullptr) mailbox->remove(*this);
}

void Trigger::deliver() noexcept {
  if (subscribers() == 0) return;  // nobody is there: it stays fired
  {
    const std::lock_guard lock{mutex_};
    if (!fired_.exchange(false)) return;
  }
  notify();
}

void Trigger::close() noexcept {
  {
    const std::lock_guard lock{mutex_};  // lets a firing in progress finish
    if (!open_.exchange(false)) return;
  }
  stop_all();
  close_quietly();
}

}  // namespace weft
