#include "concurrency/pool_face.hpp"

// A pool as an event, and its descriptions for reports.
namespace weft::detail {

Event& PoolCore::event() {
  if (!face_) {
    face_ = make_ref<Face>(*this);
    choose_ways();  // the inline ones notify no face
    if (closed_) face_->end();
  }
  return *face_;
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
  if (!line_.is_empty()) details += ", " + std::to_string(line_.size()) + " waiting";
  if (closed_) details += ", closed";
  if (state_ == State::inactive) details += ", inactive";
  return origin_.describe("Pool", details);
}

bool PoolCore::Face::can_be_had() const noexcept {
  return pool_ != nullptr && !pool_->closed_ && pool_->state_ != State::inactive &&
         (pool_->first_idle_ != nullptr || pool_->total_ < pool_->max_);
}

void PoolCore::Face::lose_pool(const std::exception_ptr& error) noexcept {
  if (!is_closed()) end(error);
  pool_ = nullptr;
}

std::string PoolCore::Face::info() const { return pool_ != nullptr ? pool_->info() : "Pool"; }

std::string PoolCore::Face::describe() const {
  return pool_ != nullptr ? pool_->describe() : "Pool that is gone";
}

}  // namespace weft::detail
