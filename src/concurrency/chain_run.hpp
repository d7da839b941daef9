#pragma once

#include "weft/detail/future_base.hpp"
#include "weft/extend/coroutine_base.hpp"
#include "weft/microtask.hpp"

namespace weft {

/// Runs the ready functions of one tree of chains in one coroutine, one after the other: the stack
/// does not grow with the length of a chain. If a function parks, a microtask moves the others to a
/// coroutine of their own, so that they do not wait for it.
class ChainRun final : public Microtask {
 public:
  ChainRun() noexcept = default;
  ~ChainRun() override;

  /// Makes the coroutine that `link` may need later, in the current scope. Throws, and then nothing
  /// changed.
  static void reserve(detail::FutureLink& link, const char* operation, Place place);
  /// The source of `link` is completed: queues it in `current` if that is of the same scope, else
  /// in a coroutine of its own. Returns where; null if its scope or runtime is gone.
  static ChainRun* start(detail::FutureLink* link, ChainRun* current) noexcept;
  /// `link` will never run: its target, and the chains of that, get `error`.
  static void refuse(detail::FutureLink* link, const std::exception_ptr& error) noexcept;

  /// Runs everything in the list. Suspends if the functions do.
  void drain();
  void run() override;

 private:
  static ChainRun* start_own(detail::FutureLink* link) noexcept;
  void hand_over() noexcept;

  detail::IntrusiveList<detail::FutureLink> links_;
  Owner* owner_ = nullptr;
  bool posted_ = false;
};

}  // namespace weft
