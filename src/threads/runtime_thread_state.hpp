#pragma once

#include <memory>
#include <unordered_set>
#include <vector>

#include "weft/extend/event.hpp"
#include "weft/thread_channel.hpp"

namespace weft {

/// What a runtime shares with other threads: its thread channels, and events that they complete.
class RuntimeThreadState {
 public:
  RuntimeThreadState() = default;
  /// Closes the channels of the runtime, which ends, so that other threads do not wait for it.
  ~RuntimeThreadState();
  RuntimeThreadState(const RuntimeThreadState&) = delete;
  RuntimeThreadState& operator=(const RuntimeThreadState&) = delete;

  /// The state of this thread's runtime, made when first needed. Throws MisuseError without a
  /// runtime.
  static RuntimeThreadState& here();
  /// The state of this thread's runtime; null if there is none.
  static RuntimeThreadState* find() noexcept;

  void bind(const std::shared_ptr<detail::ThreadChannelCore>& channel);
  /// Keeps `event` alive until another thread completes it.
  void keep(Event& event);
  void forget(Event& event) noexcept;

 private:
  std::vector<std::weak_ptr<detail::ThreadChannelCore>> channels_;
  std::unordered_set<Event*> kept_;
};

}  // namespace weft
