#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

#include "base/current.hpp"
#include "base/real_calls.hpp"
#include "reactor/descriptor.hpp"
#include "reactor/descriptor_name.hpp"
#include "reactor/reactor.hpp"
#include "weft/error.hpp"
#include "weft/extend/poll_event.hpp"

namespace weft {
namespace {

std::exception_ptr poll_was_closed() noexcept {
  try {
    throw std::system_error{std::make_error_code(std::errc::operation_canceled), "Poll was closed"};
  } catch (...) {  // or std::bad_alloc while making it
    return std::current_exception();
  }
}

}  // namespace

Poll::Poll(int descriptor, unsigned wanted)
    : number_{descriptor}, wanted_{static_cast<std::uint8_t>(wanted)} {
  if (descriptor < 0) throw ValueError{"poll() needs a descriptor, not a negative number"};
  if (wanted == 0 || wanted > (readable | writable | disconnect | prioritized)) {
    throw ValueError{"poll() needs a mask: readable, writable, disconnect, prioritized"};
  }
}

Poll::Poll(int descriptor, unsigned wanted, const Event& stream) : Poll{descriptor, wanted} {
  stream_ = &stream;
}

Poll::~Poll() {
  fail_waiters();
  if (!is_closed()) close();
}

void Poll::arm(Reactor& reactor) {
  if (!parent_ || parent_->reactor() != &reactor) parent_ = Descriptor::of(reactor, number_);
  parent_->enter(*this);
}

void Poll::disarm(Reactor& /*reactor*/) noexcept { parent_->leave(*this); }

void Poll::on_ready(unsigned mask, const Outcome& outcome) noexcept {
  triggered_ = static_cast<std::uint8_t>(mask);
  notify(outcome);
}

void Poll::close_with(const Outcome& outcome) noexcept { notify_and_close(outcome); }

void Poll::close() noexcept {
  if (is_closed()) return;
  const std::exception_ptr error =
      subscribers() > 0 || has(close_descriptor_flag) ? poll_was_closed() : nullptr;
  notify_and_close(Outcome{error});
  Ref<Descriptor> parent = std::move(parent_);
  if (!has(close_descriptor_flag)) return;
  if (Reactor* const reactor = current_thread.reactor;
      reactor != nullptr && (!parent || parent->reactor() == nullptr)) {
    // This Poll is not armed here, but others of the same descriptor may be.
    parent = Ref<Descriptor>{reactor->descriptors().find(number_)};
  }
  if (parent && parent->reactor() != nullptr) {
    parent->close(error, Descriptor::AfterDetach::close_it);
  } else {
    real_calls.close(number_);
  }
}

bool Poll::replay(Outcome& outcome) const {
  if (!is_closed()) return false;
  outcome = Outcome{poll_was_closed()};
  return true;
}

std::string Poll::letters(unsigned mask) {
  std::string events;
  if ((mask & readable) != 0) events += 'r';
  if ((mask & writable) != 0) events += 'w';
  if ((mask & disconnect) != 0) events += 'd';
  if ((mask & prioritized) != 0) events += 'p';
  return events;
}

std::string Poll::info() const {
  if (stream_ != nullptr) return "PollProxy(events=" + letters(wanted_) + ")";
  int type = 0;
  socklen_t size = sizeof type;
  const bool is_socket = ::getsockopt(number_, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
  return std::string{is_socket ? "Poll(socket=" : "Poll(fd="} + std::to_string(number_) +
         ", events=" + letters(wanted_) + ")";
}

std::string Poll::describe() const { return info() + " of " + name_of_descriptor(number_); }

}  // namespace weft
