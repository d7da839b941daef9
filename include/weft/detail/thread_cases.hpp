#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "weft/detail/select_case.hpp"
#include "weft/detail/thread_channel_core.hpp"
#include "weft/place.hpp"

namespace weft::detail {

/// A case that waits in a queue of a thread channel.
class ThreadChannelCase : public SelectCase {
 public:
  [[nodiscard]] bool is_ready() noexcept final;
  Event& join(const void* selecting) final;
  void leave() noexcept final;
  Woken woken() final;

 protected:
  using Side = ThreadChannelCore::Side;
  ThreadChannelCase(std::shared_ptr<ThreadChannelCore> core, Side side, Place place) noexcept
      : SelectCase{place}, core_{std::move(core)}, side_{side} {}
  ~ThreadChannelCase() { leave(); }

  /// Sends or receives, if that is possible now. Throws ChannelClosed.
  virtual bool attempt() = 0;
  /// Throws what the attempt threw.
  void throw_failure() {
    if (failure_ != nullptr) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  std::shared_ptr<ThreadChannelCore> core_;
  Side side_;
  std::optional<ThreadWaiter> waiter_;
  std::exception_ptr failure_;
  bool again_ = false;  // it was woken in vain and keeps its place
};

template <class T, class F>
class ThreadRecvCase final : public ThreadChannelCase {
 public:
  ThreadRecvCase(std::shared_ptr<TypedThreadChannel<T>> channel, F function, Place place)
      : ThreadChannelCase{channel, Side::receivers, place},
        channel_{std::move(channel)},
        function_{std::move(function)} {}
  void execute() {
    throw_failure();
    std::invoke(function_, T(std::move(*value_)));
  }
  void finish() { execute(); }

 private:
  bool attempt() override { return channel_->recv_now(value_); }

  std::shared_ptr<TypedThreadChannel<T>> channel_;
  std::optional<T> value_;
  F function_;
};

template <class T, class F>
class ThreadSendCase final : public ThreadChannelCase {
 public:
  /// `value` is moved from only when it is sent.
  ThreadSendCase(std::shared_ptr<TypedThreadChannel<T>> channel, T&& value, F function, Place place)
      : ThreadChannelCase{channel, Side::senders, place},
        channel_{std::move(channel)},
        value_{std::addressof(value)},
        function_{std::move(function)} {}
  /// A value that must be copied or converted is so at once.
  template <class V>
  ThreadSendCase(std::shared_ptr<TypedThreadChannel<T>> channel, std::in_place_t, V&& value,
                 F function, Place place)
      : ThreadChannelCase{channel, Side::senders, place},
        channel_{std::move(channel)},
        own_{std::in_place, std::forward<V>(value)},
        value_{std::addressof(*own_)},
        function_{std::move(function)} {}
  void execute() {
    throw_failure();
    std::invoke(function_);
  }
  void finish() { execute(); }

 private:
  bool attempt() override { return channel_->send_now(std::move(*value_)); }

  std::shared_ptr<TypedThreadChannel<T>> channel_;
  std::optional<T> own_;
  T* value_;
  F function_;
};

}  // namespace weft::detail
