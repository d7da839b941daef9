#include "threads/runtime_thread_state.hpp"

#include "base/current.hpp"
#include "weft/values.hpp"

namespace weft {
namespace {

constinit const ValueKey<std::shared_ptr<RuntimeThreadState>> thread_state_key;

}  // namespace

RuntimeThreadState::~RuntimeThreadState() {
  for (const std::weak_ptr<detail::ThreadChannelCore>& bound : channels_) {
    if (const auto channel = bound.lock()) channel->close(CloseReason::disposed);
  }
  while (!kept_.empty()) {
    Event* const event = *kept_.begin();
    kept_.erase(kept_.begin());
    event->release();
  }
}

RuntimeThreadState& RuntimeThreadState::here() {
  Values& values = root_values();
  if (const auto* known = values.find_local(thread_state_key)) return **known;
  const auto made = std::make_shared<RuntimeThreadState>();
  values.set(thread_state_key, made);
  return *made;
}

RuntimeThreadState* RuntimeThreadState::find() noexcept {
  if (current_thread.scheduler == nullptr) return nullptr;
  try {
    const auto* known = root_values().find_local(thread_state_key);
    return known != nullptr ? known->get() : nullptr;
  } catch (...) {  // no memory for values: then the runtime has no RuntimeThreadState
    return nullptr;
  }
}

void RuntimeThreadState::bind(const std::shared_ptr<detail::ThreadChannelCore>& channel) {
  // Drops dead entries before the vector grows, so that each add is cheap on average.
  if (channels_.size() == channels_.capacity()) {
    std::erase_if(channels_, [](const auto& bound) { return bound.expired(); });
    channels_.reserve(2 * channels_.size() + 1);
  }
  channels_.push_back(channel);
}

void RuntimeThreadState::keep(Event& event) {
  if (kept_.insert(&event).second) event.retain();
}

void RuntimeThreadState::forget(Event& event) noexcept {
  if (kept_.erase(&event) != 0) event.release();
}

}  // namespace weft
