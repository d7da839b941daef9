#include "reactor/host_descriptor.hpp"

#include "reactor/uv_handle.hpp"

namespace weft {

/// The loop's own descriptor, which a handle of the loop makes readable on demand. It knows no
/// deadlines: a host sleeps no longer than until Runtime::next_deadline().
struct HostDescriptor::Native {
  int turns;
  UvHandle<uv_async_t> wakeup = {};
  bool waits_for_turn = true;  // a turn has to tell the kernel of the handle, or to silence it
};

HostDescriptor::HostDescriptor(uv_loop_t& loop, int turns) : native_{new Native{turns}} {
  native_->wakeup.open(
      [&](uv_async_t* handle) { return uv_async_init(&loop, handle, [](uv_async_t*) {}); },
      "cannot make the runtime's descriptor");
}

HostDescriptor::~HostDescriptor() = default;

bool HostDescriptor::needs_turn() const noexcept { return native_->waits_for_turn; }

int HostDescriptor::prepare(TimePoint next, TimePoint now) noexcept {
  native_->waits_for_turn = next <= now;
  if (next <= now) uv_async_send(native_->wakeup.get());
  return native_->turns;
}

void HostDescriptor::abandon() noexcept { native_->wakeup.forget(); }

}  // namespace weft
