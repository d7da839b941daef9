#pragma once

#include <memory>
#include <unordered_set>
#include <vector>

#include "weft/extend/event.hpp"
#include "weft/thread_channel.hpp"

namespace weft {

/// What a runtime keeps for other threads, until it ends.
class RuntimeThreadState {
 public:
  RuntimeThreadState() = default;
  /// The runtime ends: closes its channels, so that other threads do not wait for it.
  ~RuntimeThreadState();
  RuntimeThreadState(const RuntimeThreadState&) = delete;
  RuntimeThreadState& operator=(const RuntimeThreadState&) = delete;

  /// That of this thread's runtime, made when first needed. Throws MisuseError without a runtime.
  static RuntimeThreadState& here();
  /// The same, or null.
  static RuntimeThreadState* find() noexcept;

  void bind(const std::shared_ptr<detail::ThreadChannelCore>& channel);
  /// Holds a reference on `event`, which only another thread completes.
  void keep(Event& event);
  void forget(Event& event) noexcept;

 private:
  std::vector<std::weak_ptr<detail::ThreadChannelCore>> channels_;
  std::unordered_set<Event*> kept_;
};

}  // namespace weft
