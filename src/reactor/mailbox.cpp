#include "reactor/mailbox.hpp"

#include "reactor/reactor.hpp"
#include "weft/trigger.hpp"

namespace weft {

Mailbox::Mailbox(Reactor& reactor) : reactor_{reactor} {
  async_.open(
      [&](uv_async_t* handle) {
        handle->data = this;
        return uv_async_init(&reactor.loop(), handle, [](uv_async_t* knocked) {
          static_cast<Mailbox*>(knocked->data)->deliver();
        });
      },
      "cannot make the loop's async handle");
}

void Mailbox::post(Trigger& trigger) noexcept {
  const std::lock_guard lock{mutex_};
  if (!trigger.posted_) {
    trigger.posted_ = true;
    trigger.next_ = nullptr;
    trigger.previous_ = last_;
    (last_ != nullptr ? last_->next_ : first_) = &trigger;
    last_ = &trigger;
    ++posted_;
  }
  uv_async_send(async_.get());
}

void Mailbox::unlink(Trigger& trigger) noexcept {
  trigger.posted_ = false;
  --posted_;
  (trigger.previous_ != nullptr ? trigger.previous_->next_ : first_) = trigger.next_;
  (trigger.next_ != nullptr ? trigger.next_->previous_ : last_) = trigger.previous_;
}

void Mailbox::remove(Trigger& trigger) noexcept {
  const std::lock_guard lock{mutex_};
  if (trigger.posted_) unlink(trigger);
}

Trigger* Mailbox::take() noexcept {
  const std::lock_guard lock{mutex_};
  Trigger* trigger = first_;
  if (trigger != nullptr) unlink(*trigger);
  return trigger;
}

void Mailbox::deliver() noexcept {
  std::size_t due = 0;
  {
    const std::lock_guard lock{mutex_};
    due = posted_;
  }
  for (; due > 0; --due) {
    Trigger* trigger = take();
    if (trigger == nullptr) return;  // a callback has removed the others
    reactor_.delivered();
    trigger->deliver();
  }
}

}  // namespace weft
