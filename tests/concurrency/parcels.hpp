#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "support.hpp"

namespace weft_test {

/// Calls a function when it is destroyed: captured by a body, however the coroutine ends, even if
/// it never ran.
class Finally {
 public:
  explicit Finally(weft::Function<void()> action) : action_{std::move(action)} {}
  Finally(Finally&& other) noexcept = default;
  Finally& operator=(Finally&&) = delete;
  Finally(const Finally&) = delete;
  Finally& operator=(const Finally&) = delete;
  ~Finally() {
    if (action_) action_();
  }

 private:
  weft::Function<void()> action_;
};

/// A channel that carries numbered parcels from the `hands` of senders to the lists of receivers.
/// When it is destroyed, each parcel must be in exactly one place: in the hands of its sender, with
/// one receiver, or still in the channel.
class Parcels {
 public:
  static constexpr std::size_t most = 8;
  using Parcel = std::unique_ptr<std::size_t>;

  Parcels(std::size_t capacity, std::size_t parcels) : channel{capacity} {
    for (std::size_t i = 0; i < parcels; ++i) hands[i] = std::make_unique<std::size_t>(i);
    count_ = parcels;
  }
  ~Parcels() {
    while (std::optional<Parcel> parcel = channel.try_recv()) ++found_[**parcel];
    for (std::size_t i = 0; i < count_; ++i) {
      if (hands[i] != nullptr) ++found_[i];
      WEFT_ASSERT(found_[i] != 0, "a parcel was lost");
      WEFT_ASSERT(found_[i] == 1, "a parcel came twice");
      WEFT_ASSERT(!sent[i] || hands[i] == nullptr, "what was sent has left the sender's hands");
    }
  }
  Parcels(const Parcels&) = delete;
  Parcels& operator=(const Parcels&) = delete;

  void send(std::size_t parcel) {
    channel.send(std::move(hands[parcel]));
    sent[parcel] = true;
  }
  void receive() { received(channel.recv()); }
  void received(Parcel parcel) {
    ++found_[*parcel];
    order.push_back(*parcel);
  }

  /// Counts a user of `side`, for its coroutine to capture. The channel closes with the last user
  /// of a side.
  [[nodiscard]] static Finally leaving(const std::shared_ptr<Parcels>& all, int& side) {
    ++side;
    return Finally{[all, &side] {
      if (--side == 0) all->channel.close();
    }};
  }

  weft::Channel<Parcel> channel;
  std::array<Parcel, most> hands;
  std::array<bool, most> sent{};
  std::vector<std::size_t> order;
  int senders = 0;
  int receivers = 0;

 private:
  std::array<int, most> found_{};
  std::size_t count_;
};

/// Runs `body` until it returns, the channel is closed or a token fires.
template <class F>
void until_closed(F body) {
  try {
    body();
  } catch (const weft::ChannelClosed&) {
  } catch (const weft::OperationCancelled&) {
  }
}

}  // namespace weft_test
