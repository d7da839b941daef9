#include "reactor/descriptor.hpp"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/probe.hpp"
#include "base/real_calls.hpp"
#include "reactor/reactor.hpp"

namespace weft {
namespace {

static_assert(unsigned{Readiness::readable} == unsigned{Poll::readable} &&
              unsigned{Readiness::writable} == unsigned{Poll::writable} &&
              unsigned{Readiness::disconnect} == unsigned{Poll::disconnect} &&
              unsigned{Readiness::prioritized} == unsigned{Poll::prioritized});

constexpr unsigned all_ways =
    Poll::readable | Poll::writable | Poll::disconnect | Poll::prioritized;

std::exception_ptr poll_error(int error) noexcept {
  try {
    throw std::system_error{error, std::generic_category(), "Input output error"};
  } catch (...) {
    return std::current_exception();
  }
}

/// Which ways of a stream a report makes ready.
unsigned ways_of(unsigned mask) noexcept {
  unsigned ways = mask & (Poll::readable | Poll::writable);
  if ((mask & (Readiness::disconnect | Readiness::prioritized)) != 0) ways |= Poll::readable;
  if ((mask & (Readiness::hung_up | Readiness::failed)) != 0) {
    ways |= Poll::readable | Poll::writable;
  }
  return ways;
}

}  // namespace

Readiness::Key DescriptorTable::make_key(int number) {
  const auto index = static_cast<std::size_t>(number);
  if (index >= by_number_.size()) by_number_.resize(index + 1 + index / 2);
  if (++made_ == 0) ++made_;  // 0 is used by the keys of the reactor itself
  return (Readiness::Key{made_} << 32U) | static_cast<std::uint32_t>(number);
}

void DescriptorTable::watch_anew() noexcept {
  for (std::size_t i = 0; i < by_number_.size(); ++i) {
    if (by_number_[i] != nullptr) by_number_[i]->watch_anew();
  }
}

void DescriptorTable::remove_waiters() noexcept {
  for (Descriptor* descriptor : by_number_) {
    if (descriptor != nullptr) descriptor->remove_waiters();
  }
}

void DescriptorTable::abandon_all() noexcept {
  for (Descriptor* descriptor : by_number_) {
    if (descriptor != nullptr) descriptor->abandon();
  }
  by_number_.clear();
}

Ref<Descriptor> Descriptor::of(Reactor& reactor, int number) {
  DescriptorTable& table = reactor.descriptors();
  if (Descriptor* known = table.find(number)) return Ref<Descriptor>{known};
  static_cast<void>(reactor.readiness());
  auto made = Ref<Descriptor>::adopt(new Descriptor{reactor, table.make_key(number)});
  table.set(number, made.get());
  return made;
}

Descriptor::~Descriptor() { detach(AfterDetach::stays_open); }

void Descriptor::abandon() noexcept {
  detach();
  release_kept();
}

void Descriptor::release_kept() noexcept {
  if (std::exchange(is_kept_, false)) release();
}

void Descriptor::detach(AfterDetach after) noexcept {
  if (reactor_ == nullptr) return;
  Reactor& reactor = *std::exchange(reactor_, nullptr);
  if (reactor.descriptors().find(number()) == this) reactor.descriptors().set(number(), nullptr);
  if (std::exchange(armed_, 0) == 0 || reactor.is_forgotten()) return;
  // Closing ends the watch, unless a duplicate is open. An edge-triggered watch may then live on,
  // with a key that is in no table. A level-triggered one would report without end.
  const bool ends_by_itself = after != AfterDetach::stays_open && style_ == Readiness::Style::edge;
  if (!ends_by_itself || Readiness::may_be_shared()) reactor.readiness().forget(number());
}

void Descriptor::close(const std::exception_ptr& error, AfterDetach after) noexcept {
  const Ref<Descriptor> keep{this};
  Reactor* const reactor = reactor_;
  detach(after);  // a notified waiter may wait again, but not here
  for (Waiters* waiters : {&readers_, &writers_}) {
    while (!waiters->empty()) end_wait(*waiters->first(), reactor, error);
  }
  const Outcome outcome{error};
  while (!polls_.empty()) polls_.first()->close_with(outcome);
  if (after == AfterDetach::close_it) real_calls.close(number());
  release_kept();
}

void Descriptor::add_stream() noexcept {
  ++streams_;
  is_unsure_ = armed_ != 0;
}

void Descriptor::remove_stream(const Event& stream, const std::exception_ptr& error) noexcept {
  const Ref<Descriptor> keep{this};
  --streams_;
  for (Waiters* waiters : {&readers_, &writers_}) {
    for (ReadinessWaiter* waiter = waiters->first(); waiter != nullptr;) {
      if (&waiter->stream_ == &stream) {
        end_wait(*waiter, reactor_, error);
        // From the start: what the waiter notified may have removed and added others. The lists are
        // short, and each pass removes one waiter.
        waiter = waiters->first();
      } else {
        waiter = waiter->list_links_.next();
      }
    }
  }
  const Outcome outcome{error};
  polls_.notify([&](Poll& poll) {
    if (poll.stream_ == &stream) poll.close_with(outcome);
  });
  static_cast<void>(refresh());
}

void Descriptor::enter(Poll& poll) {
  polls_.push_back(poll);
  const bool known = armed_ != 0;
  int error = 0;
  if (poll.stream_ != nullptr) {
    error = watch_for_stream(poll.wanted_);
  } else {
    ++others_;
    spent_ = 0;
    is_broken_ = false;
    if (!poll.leaves_mode_alone_) make_non_blocking();
    error = refresh();
  }
  if (error == 0) return;
  leave(poll);
  throw_cannot_watch(error, known);
}

void Descriptor::throw_cannot_watch(int error, bool known) const {
  if (known) std::rethrow_exception(poll_error(error));
  throw std::system_error{error, std::generic_category(),
                          "cannot poll descriptor " + std::to_string(number())};
}

/// If `way` is still marked as ready, arms the watch again, so that present readiness is reported
/// again.
int Descriptor::watch_for_stream(unsigned way) noexcept {
  if (others_ > 0 && !is_broken_) {
    spent_ = 0;
    return refresh();
  }
  if (style_ == Readiness::Style::edge && armed_ != 0 && !is_unsure_ && !is_ready(way)) {
    return reactor_->is_forgotten() ? 0 : reactor_->readiness().expect(number(), way);
  }
  const int error = watch(all_ways, Readiness::Style::edge);
  if (error == 0) ready_ &= ~way;
  return error;
}

void Descriptor::add(ReadinessWaiter& waiter, unsigned way) {
  (way == Poll::readable ? readers_ : writers_).push_back(waiter);
  waiter.round_ = round_;
  const bool known = armed_ != 0;
  if (const int error = watch_for_stream(way); error != 0) {
    Waiters::remove(waiter);
    throw_cannot_watch(error, known);
  }
  reactor_->wait_begins(waiter.is_hidden_);
}

void Descriptor::remove(ReadinessWaiter& waiter) noexcept {
  if (!waiter.is_waiting()) return;
  Waiters::remove(waiter);
  if (reactor_ == nullptr) return;
  reactor_->wait_ends(waiter.is_hidden_);
  if (style_ == Readiness::Style::level) static_cast<void>(refresh());
}

void Descriptor::remove_waiters() noexcept {
  for (Waiters* waiters : {&readers_, &writers_}) {
    while (ReadinessWaiter* const waiter = waiters->first()) {
      reactor_->wait_ends(waiter->is_hidden_);
      Waiters::remove(*waiter);
    }
  }
}

void Descriptor::end_wait(ReadinessWaiter& waiter, Reactor* reactor,
                          const std::exception_ptr& error) noexcept {
  Waiters::remove(waiter);
  if (reactor != nullptr) reactor->wait_ends(waiter.is_hidden_);
  waiter.on_closed(error);
}

void Descriptor::notify_waiters(unsigned ways) noexcept {
  if ((ways & Poll::readable) != 0 && !readers_.empty()) notify_all(readers_);
  if ((ways & Poll::writable) != 0 && !writers_.empty()) notify_all(writers_);
}

/// A waiter that is added meanwhile has the present round number and waits for the next report.
/// NotifyList needs a two-ended list; here each waiter leaves before it is notified, so the next is
/// always the first, and a SlimList is enough.
void Descriptor::notify_all(Waiters& waiters) noexcept {
  do {
    ReadinessWaiter& waiter = *waiters.first();
    if (waiter.round_ == round_) return;
    Waiters::remove(waiter);
    if (reactor_ != nullptr) reactor_->wait_ends(waiter.is_hidden_);
    waiter.on_ready();
  } while (!waiters.empty());
}

void Descriptor::leave(Poll& poll) noexcept {
  polls_.remove(poll);
  if (poll.stream_ == nullptr) --others_;
  if (style_ == Readiness::Style::level) static_cast<void>(refresh());
}

Event* Descriptor::first_coroutine(unsigned way) const noexcept {
  for (const ReadinessWaiter& waiter : way == Poll::readable ? readers_ : writers_) {
    if (Event* const found = waiter.coroutine()) return found;
  }
  return nullptr;
}

Poll* Descriptor::first_poll(unsigned mask) const noexcept {
  for (Poll& poll : polls_) {
    if ((poll.wanted_ & mask) != 0) return &poll;
  }
  return nullptr;
}

unsigned Descriptor::wanted() const noexcept {
  unsigned all = 0;
  if (!readers_.empty()) all |= Poll::readable;
  if (!writers_.empty()) all |= Poll::writable;
  for (const Poll& poll : polls_) all |= poll.wanted_;
  return all;
}

int Descriptor::refresh() noexcept {
  const bool only_streams_wait = others_ == 0 || is_broken_;
  const Readiness::Style style = only_streams_wait && (streams_ > 0 || is_kept_)
                                     ? Readiness::Style::edge
                                     : Readiness::Style::level;
  const unsigned mask = style == Readiness::Style::edge ? all_ways
                        : is_broken_                    ? 0
                                                        : wanted() & ~spent_;
  return mask == armed_ && style == style_ && !is_unsure_ ? 0 : watch(mask, style);
}

int Descriptor::watch(unsigned mask, Readiness::Style style) noexcept {
  if (reactor_ == nullptr || reactor_->is_forgotten()) return 0;
  Readiness& readiness = reactor_->readiness();
  int error = 0;
  if (mask != 0) {
    error = readiness.watch(number(), mask, style, key_, armed_ != 0);
  } else if (armed_ != 0) {
    readiness.forget(number());
    // While it is not watched, the number may pass to another file.
    sort_ = Sort::unknown;
    is_non_blocking_ = false;
  }
  if (error != 0) return error;
  armed_ = mask;
  style_ = style;
  is_unsure_ = false;
  return 0;
}

void Descriptor::watch_anew() noexcept {
  const unsigned mask = std::exchange(armed_, 0);
  if (const int error = watch(mask, style_); error != 0) notify_error(error);
}

void Descriptor::report(unsigned mask) noexcept {
  const Ref<Descriptor> keep{this};
  Polls::Round present{polls_};  // a Poll that enters meanwhile waits for the next report
  reactor_->delivered();
  ++round_;
  const unsigned ways = ways_of(mask);
  ready_ |= ways;
  if ((mask & ~unsigned{Poll::readable | Poll::writable}) != 0) more_follows_ = true;
  notify_waiters(ways);
  if (polls_.empty()) return;
  if (others_ == 0 || is_broken_) return notify_polls(present, 0, false, ways);

  if (mask == Readiness::hung_up) mask |= armed_;
  bool terminal = (mask & Poll::disconnect) != 0;
  if ((mask & Readiness::failed) != 0 && (mask & Poll::prioritized) == 0) {
    // It would be reported in every turn. A Poll that waits again gets it again.
    is_broken_ = terminal = true;
    mask = Poll::disconnect;
    static_cast<void>(refresh());
  } else if ((mask & Poll::readable) != 0 && is_false_alarm()) {
    WEFT_PROBE("a readable report was a false alarm");
    mask &= ~unsigned{Poll::readable};
  }
  if (terminal) spent_ |= Poll::disconnect;
  notify_polls(present, mask & all_ways, terminal, ways);
  static_cast<void>(refresh());
}

void Descriptor::notify_polls(Polls::Round& present, unsigned mask, bool terminal,
                              unsigned ways) noexcept {
  present.notify([&](Poll& poll) {
    const unsigned ready = poll.stream_ != nullptr
                               ? ways & poll.wanted_
                               : mask & (poll.wanted_ | (terminal ? Poll::disconnect : 0U));
    if (ready != 0) poll.on_ready(ready, {});
  });
}

void Descriptor::notify_error(int error) noexcept {
  const Ref<Descriptor> keep{this};
  Polls::Round present{polls_};
  const Outcome outcome{poll_error(error)};
  ready_ = Poll::readable | Poll::writable;
  ++round_;
  notify_waiters(ready_);  // each stream gets the error from its own system call
  present.notify([&](Poll& poll) { poll.on_ready(Poll::disconnect, outcome); });
}

/// Whether a stream socket has nothing to read after all. Streams find out by reading, so the
/// system call is made only for a Poll that is not a stream's.
bool Descriptor::is_false_alarm() const noexcept {
  bool asked = false;
  for (const Poll& poll : polls_) {
    asked = asked || (poll.stream_ == nullptr && (poll.wanted_ & Poll::readable) != 0);
  }
  if (!asked) return false;
  if (sort_ == Sort::unknown) {
    int type = 0;
    socklen_t size = sizeof type;
    const bool is_stream =
        ::getsockopt(number(), SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
    sort_ = is_stream ? Sort::stream_socket : Sort::other;
  }
  if (sort_ != Sort::stream_socket) return false;
  char byte = 0;
  return real_calls.recv(number(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
         (errno == EAGAIN || errno == EWOULDBLOCK);
}

void Descriptor::make_non_blocking() noexcept {
  if (is_non_blocking_ || streams_ > 0) return;
  const int flags = real_calls.fcntl(number(), F_GETFL);
  if (flags >= 0 && (flags & O_NONBLOCK) == 0)
    real_calls.fcntl(number(), F_SETFL, flags | O_NONBLOCK);
  is_non_blocking_ = true;
}

}  // namespace weft
