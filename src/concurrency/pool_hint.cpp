#include "concurrency/pool_hint.hpp"

// A pool as an event, and its descriptions for reports.
namespace weft::detail {

Event& PoolCore::event() {
  if (!hint_) {
    hint_ = make_ref<Hint>(*this);
    choose_ways();  // the inline fast paths do not notify the hint, so switch them off
    if (closed_) hint_->end();
  }
  return *hint_;
}

std::string PoolCore::info() const {
  // A reserved resource has not been taken yet.
  return "Pool(idle=" + std::to_string(idle_ + reserved_) +
         ", active=" + std::to_string(active() - reserved_) +
         ", reserved=" + std::to_string(reserved_) + ", max=" + std::to_string(max_) + ")";
}

std::string PoolCore::describe() const {
  std::string details = "max " + std::to_string(max_) + ", " + std::to_string(idle_) + " idle, " +
                        std::to_string(active()) + " active";
  if (!queue_.is_empty()) details += ", " + std::to_string(queue_.size()) + " waiting";
  if (closed_) details += ", closed";
  if (state_ == State::inactive) details += ", inactive";
  return origin_.describe("Pool", details);
}

bool PoolCore::Hint::is_available() const noexcept {
  return pool_ != nullptr && !pool_->closed_ && pool_->state_ != State::inactive &&
         (pool_->first_idle_ != nullptr || pool_->total_ < pool_->max_);
}

void PoolCore::Hint::detach_pool(const std::exception_ptr& error) noexcept {
  if (!is_closed()) end(error);
  pool_ = nullptr;
}

std::string PoolCore::Hint::info() const { return pool_ != nullptr ? pool_->info() : "Pool"; }

std::string PoolCore::Hint::describe() const {
  return pool_ != nullptr ? pool_->describe() : "Pool that is gone";
}

}  // namespace weft::detail
