#include "bridge/wait.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <sys/ioctl.h>
#include <system_error>
#include <vector>

#include "base/warning.hpp"
#include "bridge/facts.hpp"
#include "bridge/real.hpp"
#include "bridge/signals.hpp"
#include "bridge/thread_state.hpp"
#include "reactor/descriptor.hpp"
#include "reactor/descriptor_name.hpp"
#include "reactor/loop_table.hpp"
#include "reactor/reactor.hpp"
#include "weft/detail/alarm.hpp"
#include "weft/detail/intrusive_list.hpp"
#include "weft/extend/foreign_descriptor.hpp"
#include "weft/extend/park.hpp"
#include "weft/extend/poll_event.hpp"

namespace weft::bridge {
namespace {

std::size_t index_of(unsigned way) noexcept { return way == Poll::readable ? 0 : 1; }

}  // namespace

std::string name_of(const CoroutineBase& coroutine) {
  std::string text = "coroutine " + std::to_string(coroutine.id());
  if (!coroutine.name().empty()) text += " '" + std::string{coroutine.name()} + "'";
  return text;
}

/// One wait of a hooked call, on the stack of its coroutine.
class Wait final : public DirectWait, private detail::Alarm {
 public:
  Wait(const char* function, Restart restart) noexcept
      : function_{function},
        restart_{restart},
        me_{current_thread.scheduler->current()},
        reactor_{*current_thread.reactor},
        state_{ThreadState::here()} {}
  ~Wait() override {
    leave_all();
    for (std::size_t i = 0; i < count_; ++i) release(watches()[i]);
    std::destroy_n(watches(), count_);
  }

  /// Throws std::bad_alloc.
  void make_room(std::size_t watches) {
    if (watches * sizeof(Watch) > sizeof inside_) {
      outside_ = std::make_unique<std::byte[]>(watches * sizeof(Watch));
    }
  }
  /// Throws std::system_error if the descriptor cannot be watched.
  Ended add(const Interest& interest);
  void set_deadline(TimePoint deadline) {
    if (deadline == never) return;
    reactor_.open();
    reactor_.timers().add(*this, deadline);
    reactor_.add_active_wait();
  }
  /// A handler may end a wait for nothing else: then it is no part of a deadlock.
  void count_as_active() noexcept {
    is_counted_ = true;
    reactor_.add_active_wait();
  }
  Ended park(Place place) noexcept;
  [[nodiscard]] ThreadState& state() const noexcept { return state_; }

  [[nodiscard]] std::string describe() const override;
  void interrupt() noexcept {
    if (handlers_ != handlers_that_end(restart_)) end(Ended::interrupted);
  }
  /// A descriptor it waits for passes to another file. It may have ended before, because that was
  /// ready: its coroutine has not run yet, and must not go on with the other file.
  void note_closed() noexcept {
    if (how_ == Ended::ready) how_ = Ended::closed;
  }
  [[nodiscard]] const char* function() const noexcept { return function_; }
  [[nodiscard]] CoroutineBase& caller() const noexcept { return me_; }

 private:
  /// Its place among the waiters of a descriptor.
  class Watch final : public ReadinessWaiter {
   public:
    Watch(Wait& wait, Ref<Descriptor> descriptor, unsigned way) noexcept
        : ReadinessWaiter{wait.me_, Counts::active},
          wait_{wait},
          descriptor_{std::move(descriptor)},
          way_{way} {}
    ~Watch() override { descriptor_->remove(*this); }
    void begin() { descriptor_->add(*this, way_); }
    void leave() noexcept { descriptor_->remove(*this); }
    [[nodiscard]] int number() const noexcept { return descriptor_->number(); }
    [[nodiscard]] unsigned way() const noexcept { return way_; }

   private:
    void on_ready() noexcept override { wait_.end(Ended::ready); }
    void on_closed(const std::exception_ptr& /*error*/) noexcept override {
      wait_.end(Ended::closed);
    }
    [[nodiscard]] Event* coroutine() const noexcept override { return &wait_.me_; }

    Wait& wait_;
    Ref<Descriptor> descriptor_;
    unsigned way_;
  };

  [[nodiscard]] Watch* watches() noexcept {
    void* const memory = outside_ != nullptr ? static_cast<void*>(outside_.get()) : inside_;
    return std::launder(static_cast<Watch*>(memory));
  }
  Ended add_way(int descriptor, unsigned way);
  void release(Watch& watch) noexcept {
    const auto index = static_cast<std::size_t>(watch.number());
    if (index >= state_.holders.size()) return;
    Wait*& holder = state_.holders[index].by_way[index_of(watch.way())];
    if (holder == this) holder = nullptr;
  }
  void end(Ended how) noexcept {
    if (waker() == nullptr || !waker()->is_waiting()) return;
    how_ = how;
    waker()->complete();
  }
  void leave_all() noexcept {
    if (is_set()) leave();
    if (std::exchange(is_counted_, false)) reactor_.remove_active_wait();
    for (std::size_t i = 0; i < count_; ++i) watches()[i].leave();
  }
  void leave() noexcept override {
    reactor_.timers().remove(*this);
    reactor_.remove_active_wait();
  }
  void on_wait_ended() noexcept override { leave_all(); }
  void due(TimePoint /*now*/) noexcept override {
    reactor_.remove_active_wait();
    end(Ended::timed_out);
  }

  const char* function_;
  Restart restart_;
  std::sig_atomic_t handlers_ = handlers_that_end(restart_);
  CoroutineBase& me_;
  Reactor& reactor_;
  ThreadState& state_;
  Ended how_ = Ended::ready;
  bool is_counted_ = false;
  std::size_t count_ = 0;
  alignas(Watch) std::byte inside_[4 * sizeof(Watch)];
  std::unique_ptr<std::byte[]> outside_;
  std::vector<std::unique_ptr<Poll>> polls_;  // for what has no way

  friend class detail::ListAccess;
  detail::ListLinks<Wait> list_links_;  // in the list of the thread, while parked
};

namespace {

/// Notes that `function` is refused, because the other one waits; the host says so, or a warning.
Ended refuse(ThreadState& mine, const char* function, int descriptor, const CoroutineBase& holder,
             const char* held_by) noexcept {
  const CoroutineBase& me = current_thread.scheduler->current();
  Refusal refusal;
  refusal.descriptor = descriptor;
  refusal.waiter = holder.id();
  refusal.refused = me.id();
  try {
    refusal.text = std::string{function} + "() of " + name_of(me) + " was refused: descriptor " +
                   std::to_string(descriptor) + " (" + name_of_descriptor(descriptor) +
                   ") is in use by " + name_of(holder);
    if (held_by != nullptr) refusal.text += std::string{", which waits in "} + held_by + "()";
  } catch (...) {  // no memory for the text
  }
  mine.refusal = std::move(refusal);
  if (mine.host == nullptr || !mine.host->refused(mine.refusal)) warn(mine.refusal.text);
  return Ended::busy;
}

/// Whether another coroutine waits for `way` in a hooked call.
Wait* holder_of(const ThreadState& mine, int descriptor, unsigned way) noexcept {
  const auto index = static_cast<std::size_t>(descriptor);
  return index < mine.holders.size() ? mine.holders[index].by_way[index_of(way)] : nullptr;
}

}  // namespace

Ended Wait::add_way(int descriptor, unsigned way) {
  if (const Wait* const holder = holder_of(state_, descriptor, way); holder != nullptr) {
    if (holder == this) return Ended::ready;  // listed twice
    return refuse(state_, function_, descriptor, holder->caller(), holder->function());
  }
  if (const CoroutineBase* const other = waiter_of(descriptor, way); other != nullptr) {
    return refuse(state_, function_, descriptor, *other, nullptr);
  }
  Ref<Descriptor> watched = Descriptor::of(reactor_, descriptor);
  watched->keep();
  const auto index = static_cast<std::size_t>(descriptor);
  if (index >= state_.holders.size()) state_.holders.resize(index + 1 + index / 2);
  ThreadState::Holders& holders = state_.holders[index];
  if (const std::uint32_t now = generation_of(descriptor); holders.generation != now) {
    holders.generation = now;
    watched->doubt();  // another thread may have closed it
  }
  watched->found_unready(way);
  Watch& watch = *new (watches() + count_) Watch{*this, std::move(watched), way};
  ++count_;
  watch.begin();
  holders.by_way[index_of(way)] = this;
  return Ended::ready;
}

Ended Wait::add(const Interest& interest) {
  for (const unsigned way : {Poll::readable, Poll::writable}) {
    if ((interest.ways & way) == 0) continue;
    if (const Ended ended = add_way(interest.descriptor, way); ended != Ended::ready) return ended;
  }
  if (interest.besides != 0) {
    polls_.push_back(std::make_unique<Poll>(interest.descriptor, interest.besides));
    polls_.back()->leave_mode_alone();
  }
  return Ended::ready;
}

Ended Wait::park(Place place) noexcept {
  std::exception_ptr error;
  Woken woken{};
  state_.waits.push_front(*this);
  try {
    Waker& waker = me_.waker().renew();
    waker.resume_when(*this);
    for (const std::unique_ptr<Poll>& poll : polls_) waker.resume_when(*poll);
    woken = weft::park(waker, error, place);
  } catch (...) {  // no memory for a subscription
    woken = Woken::failed;
  }
  forget_waker();
  if (list_links_.is_listed()) detail::SlimList<Wait>::remove(*this);
  if (state_.waits.empty()) unwatch_handlers();
  state_.immediate = 0;
  switch (woken) {
    case Woken::event:
      return how_;
    case Woken::cancelled:
      return Ended::cancelled;
    case Woken::failed:
    case Woken::refused:
      break;
  }
  errno = ENOMEM;
  return Ended::failed;
}

std::string Wait::describe() const {
  const std::string call = std::string{function_} + "()";
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): looks only
  const auto* const first = const_cast<Wait*>(this)->watches();
  if (count_ == 1) return call + " of " + name_of_descriptor(first->number());
  if (count_ == 0) return call;
  return call + " of " + std::to_string(count_) + " descriptors";
}

bool is_allowed_here() noexcept {
  if (is_in_handler()) return false;
  const ThreadState* const state = ThreadState::if_made();
  if (state == nullptr) return true;
  return state->direct == 0 && (state->host == nullptr || state->host->may_suspend());
}

TimePoint clock_now() noexcept { return current_thread.reactor->clock().now(); }

TimePoint deadline_after(Duration duration) noexcept { return after(clock_now(), duration); }

int errno_of(Ended ended, int of_timeout) noexcept {
  switch (ended) {
    case Ended::ready:
      return 0;
    case Ended::timed_out:
      return of_timeout;
    case Ended::interrupted:
      return EINTR;
    case Ended::cancelled:
      return ECANCELED;
    case Ended::closed:
      return EBADF;
    case Ended::busy:
      return EBUSY;
    case Ended::failed:
      break;
  }
  return errno;
}

namespace {

/// Empties the list of waits when a loop ends: a runtime may leave coroutines behind, whose frames
/// go with it, and the next runtime of the thread must not meet their waits.
class WaitsOfLoop final : public LoopTable {
 public:
  explicit WaitsOfLoop(Reactor& /*reactor*/) noexcept {}
  ~WaitsOfLoop() override {
    ThreadState* const state = ThreadState::if_made();
    if (state == nullptr) return;
    state->forget_lists();
    state->holders.clear();
    state->ends_with_loop = false;
  }
  void after_fork() override {}
  /// Throws std::bad_alloc.
  static void note(ThreadState& state) {
    if (state.ends_with_loop) [[likely]]
      return;
    static_cast<void>(current_thread.reactor->table<WaitsOfLoop>());
    state.ends_with_loop = true;
  }
};

}  // namespace

Ended wait_for(const char* function, std::span<const Interest> interests, TimePoint deadline,
               Restart restart) noexcept {
  try {
    Wait wait{function, restart};
    wait.make_room(2 * interests.size());
    for (const Interest& interest : interests) {
      if (const Ended ended = wait.add(interest); ended != Ended::ready) return ended;
    }
    wait.set_deadline(deadline);
    WaitsOfLoop::note(wait.state());
    if (watch_handlers() && interests.empty() && deadline == never) wait.count_as_active();
    return leave_stack(wait.state(), function, [&](Place place) { return wait.park(place); });
  } catch (const std::system_error& error) {
    errno = error.code().value();
    return errno == EPERM ? Ended::ready : Ended::failed;  // files are always ready
  } catch (...) {
    errno = ENOMEM;
    return Ended::failed;
  }
}

Ended sleep_until(const char* function, TimePoint deadline, Restart restart) noexcept {
  return wait_for(function, {}, deadline, restart);
}

void count_immediate() noexcept {
  constexpr unsigned in_a_row = 64;
  ThreadState& mine = ThreadState::here();
  if (++mine.immediate < in_a_row) return;
  mine.immediate = 0;
  const std::uint64_t me = current_thread.scheduler->current().id();
  if (!mine.mutexes.empty() && mine.mutexes.first_of(me) != nullptr) return;  // others may want it
  const int error = errno;
  static_cast<void>(leave_stack(mine, "yield", [](Place place) {
    std::exception_ptr ignored;  // a cancellation stays pending: the call itself has succeeded
    static_cast<void>(weft::park(ignored, place));
    return Ended::ready;
  }));
  errno = error;
}

HeldNumber::HeldNumber(int descriptor) noexcept : number_{descriptor} {
  if (number_ >= 0) ThreadState::here().held_numbers.push_front(*this);
}

HeldNumber::~HeldNumber() {
  if (list_links_.is_listed()) detail::SlimList<HeldNumber>::remove(*this);
}

bool holds_number(unsigned first, unsigned last) noexcept {
  const ThreadState* const state = ThreadState::if_made();
  if (state == nullptr) return false;
  for (const HeldNumber& held : state->held_numbers) {
    if (held.is_among(first, last)) return true;
  }
  return false;
}

void numbers_pass_on(unsigned first, unsigned last) noexcept {
  ThreadState* const state = ThreadState::if_made();
  if (state == nullptr) return;
  for (HeldNumber& held : state->held_numbers) {
    if (held.is_among(first, last)) held.pass_on();
  }
  for (std::size_t number = first; number < state->holders.size() && number <= last; ++number) {
    for (Wait*& holder : state->holders[number].by_way) {
      if (Wait* const wait = std::exchange(holder, nullptr); wait != nullptr) wait->note_closed();
    }
  }
}

void interrupt_waits() noexcept {
  const ThreadState* const state = ThreadState::if_made();
  if (state == nullptr) return;
  for (Wait& wait : state->waits) wait.interrupt();
}

namespace {

/// What may_begin() says when another coroutine waits: a call that will not wait may begin. Apart
/// from it, which would save registers for this.
[[gnu::noinline]] bool may_begin_beside(ThreadState& mine, const char* function, int descriptor,
                                        const Wait& holder) noexcept {
  if (is_non_blocking(descriptor)) return true;
  refuse(mine, function, descriptor, holder.caller(), holder.function());
  errno = EBUSY;
  return false;
}

}  // namespace

bool Call::may_begin() const noexcept {
  ThreadState* const state = ThreadState::if_made();
  if (state == nullptr) return true;
  if (way_ == Poll::readable) note_read(descriptor_, false);
  const Wait* const holder = descriptor_ < 0 ? nullptr : holder_of(*state, descriptor_, way_);
  if (holder == nullptr) [[likely]]
    return true;
  return may_begin_beside(*state, function_, descriptor_, *holder);
}

bool Call::would_take_error() const noexcept {
  if (!has_begun_ || takes_errors_) [[likely]]
    return false;
  const int type = type_of(descriptor_);
  if (type < 0) return false;
  const short found = look_at(descriptor_, way_ == Poll::readable ? POLLIN : POLLOUT);
  if ((found & POLLERR) == 0) return false;
  if (type != SOCK_STREAM) return true;
  if ((found & POLLHUP) == 0) return false;  // POLLERR is of the error queue (MSG_ERRQUEUE)
  if (is_unix(descriptor_)) return false;    // a real call reports this error, too
  int left = 0;
  return way_ != Poll::readable || real.ioctl(descriptor_, FIONREAD, &left) != 0 || left == 0;
}

void Call::has_begun() noexcept {
  has_begun_ = true;
  has_waited_ = false;  // other handlers may end it
  // The kernel waits for each piece of a unix stream anew.
  const bool is_limited = has_deadline_ && deadline_ != never;
  if (is_limited && way_ == Poll::writable && is_unix(descriptor_)) has_deadline_ = false;
}

bool Call::wait() noexcept {
  if (!has_deadline_) {
    if (is_non_blocking(descriptor_)) {
      errno = EAGAIN;
      return false;
    }
    const Duration timeout = timeout_of(descriptor_, way_);
    deadline_ = timeout == Duration::zero() ? never : deadline_after(timeout);
    has_deadline_ = true;
  }
  const Restart restart = deadline_ == never && !has_begun_ ? Restart::if_wanted : Restart::never;
  const bool have_run = have_handlers_run(handlers_, restart);
  if (std::exchange(has_waited_, true) && have_run) {
    errno = EINTR;
    return false;
  }
  const Interest interest{descriptor_, way_};
  const bool is_of_peer = way_ == Poll::writable && type_of(descriptor_) == SOCK_DGRAM;
  const Ended ended = is_of_peer ? wait_for_peer(deadline_, restart)
                                 : wait_for(function_, {&interest, 1}, deadline_, restart);
  if (way_ == Poll::readable) note_read(descriptor_, ended == Ended::timed_out);
  if (ended == Ended::ready) return true;
  errno = errno_of(ended, EAGAIN);
  return false;
}

/// Nothing reports room in the queue of a datagram's peer, because that is another socket's.
Ended Call::wait_for_peer(TimePoint deadline, Restart restart) noexcept {
  const HeldNumber held{descriptor_};
  const TimePoint until = std::min(deadline, deadline_after(std::chrono::milliseconds{2}));
  // A try that fails takes room in the socket for a moment, and epoll reports when it is given
  // back.
  const bool would_wake = is_ready_now(descriptor_, POLLOUT);
  const Interest interest{descriptor_, way_};
  const Ended ended = would_wake ? sleep_until(function_, until, restart)
                                 : wait_for(function_, {&interest, 1}, until, restart);
  const bool is_over = ended != Ended::timed_out || until == deadline;
  return held.or_closed(is_over ? ended : Ended::ready);
}

Ended GrowingDelay::wait() noexcept {
  if (have_handlers_run(handlers_, restart_)) return Ended::interrupted;
  const HeldNumber held{descriptor_};
  constexpr Duration longest = std::chrono::milliseconds{32};
  const TimePoint moment = std::min(deadline_after(next_), deadline_);
  next_ = std::min(next_ * 2, longest);
  const Ended ended = sleep_until(function_, moment, restart_);
  if (ended != Ended::timed_out) return ended;
  return held.or_closed(moment == deadline_ ? Ended::timed_out : Ended::ready);
}

}  // namespace weft::bridge
