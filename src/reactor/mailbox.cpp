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
  if (!trigger.list_links_.is_listed()) {
    list_.push_back(trigger);
    ++posted_;
  }
  uv_async_send(async_.get());
}

void Mailbox::remove(Trigger& trigger) noexcept {
  const std::lock_guard lock{mutex_};
  if (!trigger.list_links_.is_listed()) return;
  list_.remove(trigger);
  --posted_;
}

Trigger* Mailbox::take() noexcept {
  const std::lock_guard lock{mutex_};
  Trigger* const trigger = list_.pop_front();
  if (trigger != nullptr) --posted_;
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
