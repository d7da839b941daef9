#pragma once

#include "weft/detail/channel_base.hpp"

namespace weft::detail {

/// The event of one side of a channel. References may keep it longer than the channel.
class ChannelBase::Hint final : public HintEvent {
 public:
  Hint(ChannelBase& channel, bool sends) noexcept : channel_{&channel}, sends_{sends} {}
  ~Hint() override = default;

  [[nodiscard]] std::string info() const override;
  [[nodiscard]] std::string describe() const override;
  /// The channel is destroyed; coroutines that still wait get ChannelClosed.
  void detach_channel() noexcept;

 private:
  [[nodiscard]] bool is_available() const noexcept override;
  // In a host's object the hint is part of it, and freed with it.
  void host_retain() noexcept override {
    if (channel_ != nullptr) channel_->host_retain();
  }
  void host_release() noexcept override {
    if (channel_ != nullptr) channel_->host_release();
  }
  [[nodiscard]] void* host_object() const noexcept override {
    return channel_ != nullptr ? channel_->host_object() : nullptr;
  }

  ChannelBase* channel_;
  bool sends_;
};

}  // namespace weft::detail
