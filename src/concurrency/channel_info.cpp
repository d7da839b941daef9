#include "weft/detail/channel_base.hpp"

// Descriptions of a channel, for reports.
namespace weft::detail {
namespace {

std::string counted(std::size_t count, const char* one) {
  return ", " + std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

}  // namespace

std::string ChannelBase::info() const {
  return "Channel(capacity=" + std::to_string(capacity_) +
         ", receivers=" + std::to_string(receivers_.size() + promised_values_.count()) +
         ", senders=" + std::to_string(senders_.size() + promised_slots_.count()) +
         ", reserved=" + std::to_string(promised_values_.count()) + "/" +
         std::to_string(promised_slots_.count()) + ")";
}

std::string ChannelBase::describe() const {
  std::string details = "capacity " + std::to_string(capacity_);
  if (held_ > 0) details += counted(held_, "value");
  const std::size_t receivers = receivers_.size() + promised_values_.count();
  const std::size_t senders = senders_.size() + promised_slots_.count();
  if (receivers > 0) details += counted(receivers, "receiver");
  if (senders > 0) details += counted(senders, "sender");
  if (is_closed()) details += std::string{", "} + weft::describe(reason_);
  return origin_.describe("Channel", details);
}

std::string ChannelWaiter::describe() const {
  return Waiter::describe() + (offer_ != nullptr ? ", to send" : ", to receive");
}

}  // namespace weft::detail
