#include "reactor/descriptor.hpp"

#include <cerrno>
#include <string>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

#include "base/probe.hpp"
#include "reactor/reactor.hpp"

namespace weft {
namespace {

static_assert(static_cast<unsigned>(UV_READABLE) == Poll::readable &&
              static_cast<unsigned>(UV_WRITABLE) == Poll::writable &&
              static_cast<unsigned>(UV_DISCONNECT) == Poll::disconnect &&
              static_cast<unsigned>(UV_PRIORITIZED) == Poll::prioritized);

std::exception_ptr poll_error(int status) noexcept {
  try {
    throw std::system_error{-status, std::generic_category(), "Input output error"};
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace

PollHandle::~PollHandle() {
  if (owned >= 0) ::close(owned);
  if (reactor != nullptr) reactor->handle_closed();
}

Ref<Descriptor> Descriptor::of(Reactor& reactor, int number) {
  DescriptorTable& table = reactor.descriptors();
  if (Descriptor* known = table.find(number)) return Ref<Descriptor>{known};
  table.reserve(number);
  const Ref<Descriptor> made{new Descriptor{reactor, number}};
  table.set(number, made.get());
  return made;
}

Descriptor::Descriptor(Reactor& reactor, int number) : reactor_{&reactor}, number_{number} {
  handle_.open(
      [&](PollHandle* handle) {
        handle->data = this;
        return uv_poll_init(&reactor.loop(), handle, number);
      },
      ("cannot poll descriptor " + std::to_string(number)).c_str());
}

Descriptor::~Descriptor() { close_handle(false); }

/// Leaves the table: from here on the number may belong to another descriptor.
void Descriptor::close_handle(bool close_it) noexcept {
  if (reactor_ == nullptr) return;
  Reactor& reactor = *std::exchange(reactor_, nullptr);
  reactor.woken_have_run(coming_);
  if (reactor.descriptors().find(number_) == this) reactor.descriptors().set(number_, nullptr);
  if (reactor.is_forgotten()) {
    handle_.forget();
    return;
  }
  handle_.get()->data = nullptr;
  handle_.get()->reactor = &reactor;
  if (close_it) handle_.get()->owned = number_;
  reactor.handle_closes();
  handle_.close();
}

void Descriptor::has_come() noexcept {
  --coming_;
  if (reactor_ != nullptr) reactor_->woken_have_run(1);
}

void Descriptor::abandon() noexcept { close_handle(false); }

void Descriptor::shut(const std::exception_ptr& error, bool close_it) noexcept {
  const Ref<Descriptor> keep{this};
  close_handle(close_it);
  armed_ = kept_ = 0;
  const Outcome outcome{error};
  while (first_ != nullptr) first_->shut(outcome);
}

void Descriptor::enter(Poll& poll) {
  poll.round_ = round_;
  poll.next_ = nullptr;
  poll.previous_ = last_;
  (last_ != nullptr ? last_->next_ : first_) = &poll;
  last_ = &poll;
  spent_ = 0;
  if (poll.lazy_) {
    kept_ |= poll.wanted_;
    if ((poll.wanted_ & Poll::readable) != 0) vain_reads_ = 0;
    if ((poll.wanted_ & Poll::writable) != 0) vain_writes_ = 0;
    if ((poll.wanted_ & ~armed_) == 0) return;
  }
  if (const int status = refresh(); status != 0) {
    leave(poll);
    std::rethrow_exception(poll_error(status));
  }
}

void Descriptor::leave(Poll& poll) noexcept {
  if (cursor_ == &poll) cursor_ = poll.next_;
  (poll.previous_ != nullptr ? poll.previous_->next_ : first_) = poll.next_;
  (poll.next_ != nullptr ? poll.next_->previous_ : last_) = poll.previous_;
  poll.previous_ = poll.next_ = nullptr;
  if (!poll.lazy_) static_cast<void>(refresh());  // a smaller mask: nothing new can go wrong
}

unsigned Descriptor::wanted() const noexcept {
  unsigned all = 0;
  for (const Poll* poll = first_; poll != nullptr; poll = poll->next_) all |= poll->wanted_;
  return all;
}

int Descriptor::refresh() noexcept {
  const unsigned mask = (wanted() | kept_) & ~spent_;
  if (mask == armed_ || reactor_ == nullptr || reactor_->is_forgotten()) return 0;
  const int status = mask == 0 ? uv_poll_stop(handle_.get())
                               : uv_poll_start(handle_.get(), static_cast<int>(mask), on_ready);
  if (status == 0) armed_ = mask;
  return status;
}

void Descriptor::on_ready(uv_poll_t* handle, int status, int events) {
  auto* const self = static_cast<Descriptor*>(handle->data);
  if (self != nullptr) self->report(status, static_cast<unsigned>(events));
}

void Descriptor::report(int status, unsigned mask) noexcept {
  const Ref<Descriptor> keep{this};
  reactor_->delivered();
  bool terminal = (mask & Poll::disconnect) != 0;
  Outcome outcome;
  if (status < 0) {  // a reset peer, most often. libuv has stopped the handle if it says EBADF
    if (status != UV_EBADF) {
      uv_poll_stop(handle_.get());
      outcome = Outcome{poll_error(status)};
    }
    armed_ = kept_ = 0;
    mask = Poll::disconnect;
    terminal = true;
  } else if ((mask & Poll::readable) != 0 && is_false_alarm()) {
    WEFT_PROBE("a readable report was a false alarm");
    mask &= ~unsigned{Poll::readable};
    if (mask == 0) return;
  }
  if (terminal) spent_ |= Poll::disconnect;
  if (terminal || (mask & Poll::readable) != 0) ready_ = true;
  const unsigned unwanted = terminal ? 0 : mask & ~wanted();
  tell(mask, terminal, outcome);
  if (unwanted != 0) give_up(unwanted);
  if (status == 0) static_cast<void>(refresh());
}

/// Those who enter meanwhile wait for the next report; those who leave are not told.
void Descriptor::tell(unsigned mask, bool terminal, const Outcome& outcome) noexcept {
  ++round_;
  cursor_ = first_;
  while (Poll* poll = cursor_) {
    cursor_ = poll->next_;
    if (poll->round_ == round_) continue;
    poll->round_ = round_;
    const unsigned told = mask & (poll->wanted_ | (terminal ? Poll::disconnect : 0U));
    if (told == 0) continue;
    if (poll->parked_ && reactor_ != nullptr) {
      ++coming_;
      reactor_->woken_by_descriptor();
    } else {
      poll->parked_ = false;
    }
    poll->happened(told, outcome);
  }
}

/// Nobody waits for what is armed for streams and was reported.
void Descriptor::give_up(unsigned unwanted) noexcept {
  if (coming_ > 0) return;
  unsigned gone = 0;
  if ((unwanted & Poll::readable) != 0 && ++vain_reads_ > patience) gone |= Poll::readable;
  if ((unwanted & Poll::writable) != 0 && ++vain_writes_ > patience) gone |= Poll::writable;
  kept_ &= ~gone;
}

/// Whether a stream socket has nothing to read after all. Streams find out by reading; only others
/// pay for the look.
bool Descriptor::is_false_alarm() const noexcept {
  bool asked = false;
  for (const Poll* poll = first_; poll != nullptr && !asked; poll = poll->next_) {
    asked = !poll->lazy_ && (poll->wanted_ & Poll::readable) != 0;
  }
  if (!asked) return false;
  if (sort_ == Sort::unknown) {
    int type = 0;
    socklen_t size = sizeof type;
    const bool is_stream =
        ::getsockopt(number_, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
    sort_ = is_stream ? Sort::stream_socket : Sort::other;
  }
  if (sort_ != Sort::stream_socket) return false;
  char byte = 0;
  return ::recv(number_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
         (errno == EAGAIN || errno == EWOULDBLOCK);
}

void DescriptorTable::abandon_all() noexcept {
  for (Descriptor* descriptor : by_number_) {
    if (descriptor != nullptr) descriptor->abandon();
  }
  by_number_.clear();
}

}  // namespace weft
