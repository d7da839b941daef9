#pragma once

#include "weft/channel_base.hpp"

namespace weft {

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

  ChannelBase* channel_;
  bool sends_;
};

}  // namespace weft
