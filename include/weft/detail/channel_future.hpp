#pragma once

#include <exception>
#include <string>
#include <utility>

#include "weft/channel_error.hpp"
#include "weft/detail/channel_base.hpp"
#include "weft/extend/future_state.hpp"
#include "weft/place.hpp"

namespace weft {
template <class T>
class Channel;
}

namespace weft::detail {

/// The future of recv_async(): a receiver without a coroutine, which the channel completes.
template <class T>
class ChannelFuture final : public FutureState<T> {
 public:
  ChannelFuture(Channel<T>& channel, Place place) noexcept
      : FutureState<T>{place}, channel_{channel} {}
  [[nodiscard]] std::string describe() const override {
    // The channel is sure to exist only while queued_ is listed.
    return queued_.is_listed() ? queued_.describe() : FutureState<T>::describe();
  }

 private:
  friend class Channel<T>;
  class QueuedReceive final : public ChannelWaiter {
   public:
    explicit QueuedReceive(ChannelFuture& future) noexcept
        : ChannelWaiter{"Channel::recv_async()", future.channel_}, future_{future} {
      expect_service();
    }
    ~QueuedReceive() override = default;

   protected:
    void serve() noexcept override {
      leave();
      future_.take_front();
    }
    void send_away() noexcept override {
      leave();
      future_.fail_closed(refused());
    }

   private:
    ChannelFuture& future_;
  };

  ~ChannelFuture() override = default;

  void begin() noexcept {
    if (channel_.has_free_value()) {
      take_front();
      channel_.match_waiters(true);
    } else if (ChannelWaiter* sender = channel_.offering()) {
      if (store(*static_cast<T*>(sender->offer()))) {
        channel_.took_offer(*sender);
        resolve_future();
      }
    } else if (channel_.is_closed()) {
      fail_closed(channel_.close_reason());
    } else {
      channel_.join_receivers(queued_);
    }
  }
  /// Takes a free value; the caller calls match_waiters() afterwards.
  void take_front() noexcept {
    if (!store(channel_.front())) return;
    channel_.drop_front();
    --channel_.held_;
    resolve_future();
  }
  /// Returns false and fails the future if moving the value throws; the value stays where it is.
  bool store(T& value) noexcept {
    try {
      this->prepare_value(std::move(value));
      return true;
    } catch (...) {
      this->fail(std::current_exception(), {});
      return false;
    }
  }
  void resolve_future() noexcept {
    if (this->begin_write()) this->resolve({});
  }
  void fail_closed(CloseReason reason) noexcept {
    try {
      throw ChannelClosed{reason};
    } catch (...) {
      this->fail(std::current_exception(), {});
    }
  }
  void unwanted() noexcept override {
    if (queued_.is_listed()) channel_.leave(queued_);
  }

  Channel<T>& channel_;
  QueuedReceive queued_{*this};
};

}  // namespace weft::detail
