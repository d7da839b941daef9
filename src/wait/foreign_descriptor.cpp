#include "weft/extend/foreign_descriptor.hpp"

#include <cerrno>
#include <exception>
#include <system_error>

#include "base/current.hpp"
#include "reactor/descriptor.hpp"
#include "reactor/reactor.hpp"
#include "weft/extend/coroutine_base.hpp"
#include "weft/extend/poll_event.hpp"

namespace weft {
namespace {

Descriptor* find_descriptor(int number) noexcept {
  Reactor* const reactor = current_thread.reactor;
  return reactor != nullptr && number >= 0 ? reactor->descriptors().find(number) : nullptr;
}

std::exception_ptr descriptor_was_closed() noexcept {
  try {
    throw std::system_error{EBADF, std::generic_category(), "The descriptor was closed"};
  } catch (...) {  // or std::bad_alloc while making it
    return std::current_exception();
  }
}

CoroutineBase* waiter_of(Poll& poll) noexcept {
  const auto* const first = dynamic_cast<const Subscription*>(poll.first_subscriber());
  return first != nullptr ? first->coroutine() : nullptr;
}

}  // namespace

void descriptor_closed(int descriptor) noexcept {
  Descriptor* const known = find_descriptor(descriptor);
  if (known == nullptr) return;
  known->close(known->is_awaited() ? descriptor_was_closed() : nullptr,
               Descriptor::AfterDetach::is_closed_next);
}

CoroutineBase* waiter_of(int descriptor, unsigned mask) noexcept {
  const Descriptor* const known = find_descriptor(descriptor);
  if (known == nullptr) return nullptr;
  for (const unsigned way : {Poll::readable, Poll::writable}) {
    if ((mask & way) == 0) continue;
    if (Event* const found = known->first_coroutine(way)) {
      return static_cast<CoroutineBase*>(found);
    }
  }
  Poll* const poll = known->first_poll(mask);
  return poll != nullptr ? waiter_of(*poll) : nullptr;
}

}  // namespace weft
