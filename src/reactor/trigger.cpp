#include "weft/trigger.hpp"

#include "reactor/mailbox.hpp"
#include "reactor/reactor.hpp"

namespace weft {

void Trigger::fire() noexcept {
  if (!open_.load()) return;
  if (fired_.exchange(true)) return;  // a firing is on its way already
  const std::lock_guard lock{mutex_};
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
  if (fired_.exchange(false)) notify();
}

void Trigger::close() noexcept {
  if (!open_.exchange(false)) return;
  stop_all();
  close_quietly();
}

}  // namespace weft
