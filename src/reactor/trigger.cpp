#include "weft/trigger.hpp"

#include "reactor/mailbox.hpp"
#include "reactor/reactor.hpp"

namespace weft {

void Trigger::fire() noexcept {
  // Locked before `fired_` is set: once the loop's thread sees that, it may deliver it, and the
  // trigger may be destroyed.
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
  if (subscribers() == 0) return;  // stays fired until a wait begins
  {
    const std::lock_guard lock{mutex_};
    if (!fired_.exchange(false)) return;
  }
  notify();
}

void Trigger::close() noexcept {
  {
    const std::lock_guard lock{mutex_};  // waits for a firing in progress
    if (!open_.exchange(false)) return;
  }
  stop_all();
  close_quietly();
}

}  // namespace weft
