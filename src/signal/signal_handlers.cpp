#include "signal/signal_handlers.hpp"

#include <cerrno>
#include <csignal>
#include <memory>
#include <mutex>
#include <sched.h>
#include <string>
#include <system_error>
#include <utility>

#include "base/real_calls.hpp"

namespace weft {
namespace {

/// The disposition of one signal number.
struct NativeHandler {
  std::atomic<const struct sigaction*> previous{nullptr};  // the program's own
  // The thread that is inside the previous handler, by the address of its errno: a handler that was
  // installed over ours and calls ours must not cause an endless loop.
  std::atomic<const int*> forwarding{nullptr};
  std::uint32_t users = 0;  // guarded by the mutex
};

// Of the process. Never destroyed: a signal may come while the process exits.
constinit std::array<NativeHandler, signal_limit> native_handlers{};
constinit std::mutex native_handlers_mutex;
constinit std::atomic<SignalInbox*> first_inbox{nullptr};
constinit std::atomic<int> running_handlers{0};  // may read the above

static_assert(std::atomic<SignalInbox*>::is_always_lock_free);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

NativeHandler& native_handler(int number) noexcept {
  return native_handlers[static_cast<std::size_t>(number)];
}

std::uint64_t signal_bit(int number) noexcept { return std::uint64_t{1} << (number - 1); }

/// Waits until no running handler can still see what was just removed.
void wait_for_handlers() noexcept {
  while (running_handlers.load() != 0) ::sched_yield();
}

void replace_previous(NativeHandler& handler, std::unique_ptr<struct sigaction> fresh) noexcept {
  const std::unique_ptr<const struct sigaction> old{handler.previous.exchange(fresh.release())};
  if (old != nullptr) wait_for_handlers();
}

}  // namespace

void SignalInbox::end_at_second(int number, bool on) noexcept {
  if (on) {
    ending_.fetch_or(signal_bit(number));
  } else {
    ending_.fetch_and(~signal_bit(number));
  }
}

bool SignalHandlers::is_ours(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == &on_signal;
}

SignalHandlers::Delivery SignalHandlers::post(int number) noexcept {
  Delivery delivery = Delivery::no;
  for (SignalInbox* inbox = first_inbox.load(); inbox != nullptr; inbox = inbox->next_.load()) {
    if ((inbox->wanted_.load() & signal_bit(number)) == 0) continue;
    const bool unseen = inbox->counts_[static_cast<std::size_t>(number)].fetch_add(1) > 0;
    uv_async_send(inbox->async);
    const bool ends = unseen && (inbox->ending_.load() & signal_bit(number)) != 0;
    if (delivery != Delivery::again_unseen)
      delivery = ends ? Delivery::again_unseen : Delivery::yes;
  }
  return delivery;
}

void SignalHandlers::on_signal(int number, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  NativeHandler& handler = native_handler(number);
  if (handler.forwarding.load() == &errno) return;
  running_handlers.fetch_add(1);
  const Delivery delivery = post(number);
  const struct sigaction* known = handler.previous.load();
  struct sigaction previous {};
  if (known != nullptr) previous = *known;
  running_handlers.fetch_sub(1);
  if (known == nullptr) {
    // The signal was on its way when the last user left and the previous disposition was restored.
    ::raise(number);
  } else if ((previous.sa_flags & SA_SIGINFO) != 0 ||
             (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)) {
    forward(number, info, context, previous);
  } else if (delivery == Delivery::again_unseen && previous.sa_handler == SIG_DFL) {
    real_calls.sigaction(number, &previous, nullptr);
    ::raise(number);
  } else if (delivery == Delivery::no && previous.sa_handler == SIG_DFL) {
    // No reactor wants it, and the program has restored our handler as an old disposition.
    struct sigaction present {};
    if (real_calls.sigaction(number, nullptr, &present) == 0 && is_ours(present)) {
      real_calls.sigaction(number, &previous, nullptr);
      ::raise(number);
    }
  }
  errno = saved_errno;
}

void SignalHandlers::forward(int number, siginfo_t* info, void* context,
                             const struct sigaction& previous) noexcept {
  NativeHandler& handler = native_handler(number);
  handler.forwarding.store(&errno);
  if ((previous.sa_flags & SA_SIGINFO) != 0) {
    previous.sa_sigaction(number, info, context);
  } else {
    previous.sa_handler(number);
  }
  handler.forwarding.store(nullptr);
}

void SignalHandlers::enlist(SignalInbox& inbox) noexcept {
  if (inbox.listed_) return;
  inbox.listed_ = true;
  inbox.next_.store(first_inbox.load());
  first_inbox.store(&inbox);
}

void SignalHandlers::delist(SignalInbox& inbox) noexcept {
  if (!inbox.listed_) return;
  std::atomic<SignalInbox*>* link = &first_inbox;
  while (link->load() != &inbox) link = &link->load()->next_;
  link->store(inbox.next_.load());
  inbox.listed_ = false;
}

void SignalHandlers::add(int number, SignalInbox& inbox) {
  const std::lock_guard lock{native_handlers_mutex};
  const bool is_new = (inbox.wanted_.load() & signal_bit(number)) == 0;
  enlist(inbox);
  inbox.wanted_.fetch_or(signal_bit(number));  // first: the handler must find the inbox
  try {
    install(number);
  } catch (...) {
    if (is_new) {
      inbox.wanted_.fetch_and(~signal_bit(number));
      if (inbox.wanted_.load() == 0) delist(inbox);
      wait_for_handlers();
    }
    throw;
  }
  if (is_new) ++native_handler(number).users;
}

void SignalHandlers::install(int number) {
  NativeHandler& handler = native_handler(number);
  auto previous = std::make_unique<struct sigaction>();
  const auto refuse = [number] {
    throw std::system_error{errno, std::generic_category(),
                            "listen for signal " + std::to_string(number)};
  };
  if (real_calls.sigaction(number, nullptr, previous.get()) != 0) refuse();
  if (is_ours(*previous) && handler.previous.load() != nullptr) return;
  struct sigaction ours {};
  ours.sa_sigaction = &on_signal;
  // On the alternate stack, if there is one: a coroutine may have little stack left.
  ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK | (previous->sa_flags & SA_NODEFER);
  ours.sa_mask = previous->sa_mask;
  // Before the first delivery, which must be forwarded too.
  replace_previous(handler, std::move(previous));
  if (real_calls.sigaction(number, &ours, nullptr) != 0) {
    const int error = errno;
    if (handler.users == 0) replace_previous(handler, nullptr);
    errno = error;
    refuse();
  }
}

void SignalHandlers::remove(int number, SignalInbox& inbox) noexcept {
  const std::lock_guard lock{native_handlers_mutex};
  if ((inbox.wanted_.load() & signal_bit(number)) == 0) return;
  inbox.wanted_.fetch_and(~signal_bit(number));
  if (inbox.wanted_.load() == 0) delist(inbox);
  if (--native_handler(number).users == 0) restore(number);
  wait_for_handlers();
  inbox.take(number);
}

void SignalHandlers::restore(int number) noexcept {
  NativeHandler& handler = native_handler(number);
  struct sigaction present {};
  if (real_calls.sigaction(number, nullptr, &present) != 0 || !is_ours(present)) {
    return;  // a later handler may call ours, or restore it: ours still needs the previous one
  }
  real_calls.sigaction(number, handler.previous.load(), nullptr);
  replace_previous(handler, nullptr);
}

void SignalHandlers::before_fork() noexcept { native_handlers_mutex.lock(); }

void SignalHandlers::after_fork_in_parent() noexcept { native_handlers_mutex.unlock(); }

void SignalHandlers::after_fork_in_child() noexcept {
  running_handlers.store(0);  // handlers of threads that the child does not have
  for (SignalInbox* inbox = first_inbox.load(); inbox != nullptr;) {
    SignalInbox* const next = inbox->next_.load();
    inbox->wanted_.store(0);
    inbox->listed_ = false;
    inbox = next;
  }
  first_inbox.store(nullptr);
  for (int number = 1; number < signal_limit; ++number) {
    NativeHandler& handler = native_handler(number);
    handler.forwarding.store(nullptr);
    if (std::exchange(handler.users, 0) > 0) restore(number);
  }
  native_handlers_mutex.unlock();
}

}  // namespace weft
