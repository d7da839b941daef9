#pragma once

#include <exception>
#include <string>
#include <sys/socket.h>
#include <utility>

#include "reactor/descriptor.hpp"
#include "weft/extend/coroutine_base.hpp"
#include "weft/extend/io.hpp"
#include "weft/extend/poll_event.hpp"
#include "weft/extend/wait_list.hpp"
#include "weft/ref.hpp"

namespace weft {

/// The wait of a coroutine until the descriptor of its stream is readable or writable.
class StreamWait final : public Waiter, private ReadinessWaiter {
 public:
  /// Throws std::system_error if the descriptor cannot be watched.
  StreamWait(Ref<Descriptor> descriptor, unsigned way, const Io& stream)
      : Waiter{"stream"},
        ReadinessWaiter{stream, Counts::active},
        stream_{stream},
        descriptor_{std::move(descriptor)},
        way_{way} {
    descriptor_->add(*this, way_);
  }
  ~StreamWait() override { descriptor_->remove(*this); }

  [[nodiscard]] std::string info() const override {
    return "PollProxy(events=" + Poll::letters(way_) + ")";
  }
  /// "read from TCP 127.0.0.1:80".
  [[nodiscard]] std::string describe() const override {
    if (way_ == Poll::writable) return "write to " + stream_.name();
    int listens = 0;
    socklen_t size = sizeof listens;
    ::getsockopt(descriptor_->number(), SOL_SOCKET, SO_ACCEPTCONN, &listens, &size);
    return (listens != 0 ? "accept from " : "read from ") + stream_.name();
  }

 private:
  void on_ready() noexcept override { grant(); }
  [[nodiscard]] Event* coroutine() const noexcept override { return DirectWait::coroutine(); }
  void on_closed(const std::exception_ptr& error) noexcept override { refuse(error); }

  const Io& stream_;  // kept alive by the operation that waits
  Ref<Descriptor> descriptor_;
  unsigned way_;
};

}  // namespace weft
