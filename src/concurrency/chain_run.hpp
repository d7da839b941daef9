#pragma once

#include "weft/detail/future_state.hpp"
#include "weft/extend/coroutine_base.hpp"
#include "weft/microtask.hpp"

namespace weft {

/// Functions of one tree of chains that are ready to run, in one coroutine, one after the other:
/// however long the chain, the stack does not grow. If one of them parks, a microtask hands those
/// that are left to the next one's own coroutine, so that nobody waits for a stranger.
class ChainRun final : public Microtask {
 public:
  ChainRun() noexcept = default;
  ~ChainRun() override;

  /// Makes the coroutine of `link` for later, in the scope we are in. Throws, and then nothing
  /// changed.
  static void reserve(detail::FutureLink& link, Place place);
  /// The source of `link` is completed: it will run, in `current` if that runs in its scope, else
  /// in a coroutine of its own. Returns where; nowhere if its scope or runtime is gone.
  static ChainRun* start(detail::FutureLink* link, ChainRun* current) noexcept;
  /// It will never run: its target, and what hangs on that, gets `error`.
  static void refuse(detail::FutureLink* link, const std::exception_ptr& error) noexcept;

  /// Runs everything in the list. Suspends if the functions do.
  void drain();
  void run() override;

 private:
  void push(detail::FutureLink& link) noexcept;
  detail::FutureLink* pop() noexcept;
  static ChainRun* start_own(detail::FutureLink* link) noexcept;
  void hand_over() noexcept;

  detail::FutureLink* first_ = nullptr;
  detail::FutureLink* last_ = nullptr;
  Owner* owner_ = nullptr;
  bool posted_ = false;
};

}  // namespace weft
