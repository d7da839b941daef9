#pragma once

#include <exception>
#include <string>

#include "reactor/descriptor.hpp"
#include "weft/poll_event.hpp"
#include "weft/ref.hpp"
#include "weft/wait_list.hpp"

namespace weft {

/// A coroutine waits for one way of its stream's descriptor: a waiter that the descriptor grants.
class StreamWait final : public Waiter, private Seat {
 public:
  /// The seat is free. Throws std::system_error if the descriptor cannot be watched.
  StreamWait(Ref<Descriptor> descriptor, unsigned way, const Io& stream)
      : Waiter{"stream"}, Seat{stream}, descriptor_{std::move(descriptor)}, way_{way} {
    descriptor_->sit(*this, way_);
  }
  ~StreamWait() override { descriptor_->rise(*this, way_); }

  [[nodiscard]] std::string info() const override {
    return Poll::info_of(descriptor_->number(), way_);
  }

 private:
  void told(const std::exception_ptr& error) noexcept override {
    if (error == nullptr) {
      grant();
    } else {
      refuse(error);
    }
  }

  Ref<Descriptor> descriptor_;
  unsigned way_;
};

}  // namespace weft
