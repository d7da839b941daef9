#pragma once

#include <exception>
#include <utility>

#include "reactor/descriptor.hpp"
#include "weft/extend/io_request.hpp"
#include "weft/ref.hpp"

namespace weft {

/// The wait of a request until the descriptor of its stream is readable or writable; then the
/// request goes on.
class IoRequest::DescriptorWait final : private ReadinessWaiter {
 public:
  DescriptorWait(IoRequest& request, const Io& stream) noexcept
      : ReadinessWaiter{stream, Counts::hidden},
        request_{request} {}  // not active: the coroutine that awaits the request is
  ~DescriptorWait() override { end(); }

  /// Throws std::system_error if the descriptor cannot be watched.
  void begin(Ref<Descriptor> descriptor, unsigned way) {
    if (is_waiting()) return;
    descriptor_ = std::move(descriptor);
    descriptor_->add(*this, way);
  }
  void end() noexcept {
    if (is_waiting()) descriptor_->remove(*this);
  }

 private:
  void on_ready() noexcept override { request_.descriptor_is_ready(); }
  void on_closed(const std::exception_ptr& error) noexcept override {
    if (!request_.abandoned_) request_.complete(-1, error);
  }

  IoRequest& request_;
  Ref<Descriptor> descriptor_;
};

}  // namespace weft
