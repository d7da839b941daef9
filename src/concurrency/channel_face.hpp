#pragma once

#include "weft/detail/channel_base.hpp"

namespace weft::detail {

/// What those who wait for events see of one side of a channel. It may be held longer than that.
class ChannelBase::Face final : public ReadyFace {
 public:
  Face(ChannelBase& channel, bool sends) noexcept : channel_{&channel}, sends_{sends} {}
  ~Face() override = default;

  [[nodiscard]] std::string info() const override;
  [[nodiscard]] std::string describe() const override;
  /// The channel goes; whoever still waits gets ChannelClosed.
  void lose_channel() noexcept;

 private:
  [[nodiscard]] bool can_be_had() const noexcept override;
  // In an object of a host the face is part of it, and freed with it.
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
