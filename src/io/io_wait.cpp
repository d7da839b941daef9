#include "io/io_wait.hpp"

#include "base/current.hpp"
#include "io/io_error.hpp"
#include "reactor/reactor.hpp"
#include "wait/await_as.hpp"
#include "weft/await.hpp"
#include "weft/detail/stream_lock.hpp"
#include "weft/error.hpp"
#include "weft/extend/io_request.hpp"
#include "weft/extend/wait_list.hpp"
#include "weft/suspend.hpp"

namespace weft {
namespace {

/// Counts a wait for the lock of a stream as active, so that it is no deadlock: the owner of the
/// lock may be a request that no coroutine awaits, or that was dropped, and is then not active
/// itself.
class CountedWait {
 public:
  explicit CountedWait(bool counts) noexcept : reactor_{counts ? current_thread.reactor : nullptr} {
    if (reactor_ != nullptr) reactor_->add_active_wait();
  }
  ~CountedWait() {
    if (reactor_ != nullptr) reactor_->remove_active_wait();
  }
  CountedWait(const CountedWait&) = delete;
  CountedWait& operator=(const CountedWait&) = delete;

 private:
  Reactor* reactor_;
};

}  // namespace

void expect_to_wait(const char* what) {
  try {
    expect_to_suspend(what);
  } catch (const MisuseError& refused) {
    throw CannotWait{refused.what()};
  }
}

void await_begun(const char* what, IoRequest& request, Token token, Place place) {
  if (!request.is_completed()) expect_to_wait(what);
  await_request(what, request, token, place);
}

void await_request(const char* operation, IoRequest& request, Token token, Place place) {
  if (!request.is_completed()) await_as(operation, request, token, place);
  if (request.error() != nullptr) std::rethrow_exception(request.error());
}

void yield_io(Token token, Place place) {
  expect_to_wait("A read or write of a stream");
  if (!token) return suspend(place);
  Event& ending = resolve(*token.event());
  ending.start();  // a timeout counts from here, as in any wait
  {
    const struct Stop {
      Event& event;
      ~Stop() { event.stop(); }
    } stop{ending};
    suspend(place);
  }
  if (!ending.is_closed()) return;
  Waiter nothing{"Stream"};
  nothing.wait("A read or write of a stream", token, place);
}

bool detail::StreamLock::lock_or_queue(Waiter& waiter) noexcept {
  if (!locked_) {
    locked_ = true;
    return true;
  }
  queue_.push_back(waiter);
  return false;
}

void detail::StreamLock::refuse_all() noexcept {
  refuse_all(queue_.is_empty() ? nullptr : stream_was_closed());
}

/// A loop, not a recursion: the queue may be long.
void detail::StreamLock::grant_next() noexcept {
  if (granting_) return;
  granting_ = true;
  while (!locked_ && !queue_.is_empty()) {
    locked_ = true;
    queue_.grant_first();
  }
  granting_ = false;
}

void detail::StreamLock::wait_in_queue(Token token, Place place) {
  expect_to_wait("A read or write of a stream");
  Waiter waiter{"Stream lock"};
  queue_.push_back(waiter);
  const CountedWait count{!kept_};
  try {
    waiter.wait("A read or write of a stream", token, place);
  } catch (...) {
    if (waiter.is_granted()) unlock();
    throw;
  }
  if (!refused_) return;
  unlock();
  std::rethrow_exception(stream_was_closed());
}

}  // namespace weft
