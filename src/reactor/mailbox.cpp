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
    Trigger** link = &first_;
    while (*link != nullptr) link = &(*link)->next_;
    *link = &trigger;
  }
  uv_async_send(async_.get());
}

void Mailbox::remove(Trigger& trigger) noexcept {
  const std::lock_guard lock{mutex_};
  if (!trigger.posted_) return;
  trigger.posted_ = false;
  for (Trigger** link = &first_; *link != nullptr; link = &(*link)->next_) {
    if (*link != &trigger) continue;
    *link = trigger.next_;
    return;
  }
}

Trigger* Mailbox::take() noexcept {
  const std::lock_guard lock{mutex_};
  Trigger* trigger = first_;
  if (trigger == nullptr) return nullptr;
  first_ = trigger->next_;
  trigger->posted_ = false;
  return trigger;
}

void Mailbox::deliver() noexcept {
  while (Trigger* trigger = take()) {
    reactor_.delivered();
    trigger->deliver();
  }
}

}  // namespace weft
