#include "threads/house.hpp"

#include "base/current.hpp"
#include "weft/values.hpp"

namespace weft {
namespace {

constinit const ValueKey<std::shared_ptr<ThreadHouse>> house_key;

}  // namespace

ThreadHouse::~ThreadHouse() {
  for (const std::weak_ptr<detail::ThreadChannelCore>& bound : channels_) {
    if (const auto channel = bound.lock()) channel->close(CloseReason::disposed);
  }
  while (!kept_.empty()) {
    Event* const event = *kept_.begin();
    kept_.erase(kept_.begin());
    event->release();
  }
}

ThreadHouse& ThreadHouse::here() {
  Values& values = root_values();
  if (const auto* known = values.find_local(house_key)) return **known;
  const auto made = std::make_shared<ThreadHouse>();
  values.set(house_key, made);
  return *made;
}

ThreadHouse* ThreadHouse::find() noexcept {
  if (current_thread.scheduler == nullptr) return nullptr;
  try {
    const auto* known = root_values().find_local(house_key);
    return known != nullptr ? known->get() : nullptr;
  } catch (...) {  // no memory: there is no ThreadHouse either
    return nullptr;
  }
}

void ThreadHouse::bind(const std::shared_ptr<detail::ThreadChannelCore>& channel) {
  // Drops dead entries before the vector grows, so that each add is cheap on average.
  if (channels_.size() == channels_.capacity()) {
    std::erase_if(channels_, [](const auto& bound) { return bound.expired(); });
    channels_.reserve(2 * channels_.size() + 1);
  }
  channels_.push_back(channel);
}

void ThreadHouse::keep(Event& event) {
  if (kept_.insert(&event).second) event.retain();
}

void ThreadHouse::forget(Event& event) noexcept {
  if (kept_.erase(&event) != 0) event.release();
}

}  // namespace weft
