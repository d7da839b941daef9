#include "io/io_wait.hpp"

#include "base/current.hpp"
#include "io/io_error.hpp"
#include "reactor/reactor.hpp"
#include "wait/await_as.hpp"
#include "weft/await.hpp"
#include "weft/detail/turns.hpp"
#include "weft/error.hpp"
#include "weft/extend/io_request.hpp"
#include "weft/extend/wait_list.hpp"
#include "weft/suspend.hpp"

namespace weft {
namespace {

/// Whoever has the turn gives it back one day. That may be a request that nobody awaits, or a
/// worker with one that nobody refers to any more: neither counts by itself.
class CountInLine {
 public:
  explicit CountInLine(bool counts) noexcept : reactor_{counts ? current_thread.reactor : nullptr} {
    if (reactor_ != nullptr) reactor_->seat_taken();
  }
  ~CountInLine() {
    if (reactor_ != nullptr) reactor_->seat_left();
  }
  CountInLine(const CountInLine&) = delete;
  CountInLine& operator=(const CountInLine&) = delete;

 private:
  Reactor* reactor_;
};

}  // namespace

void await_request(const char* operation, IoRequest& request, Token token, Place place) {
  if (!request.is_completed()) await_as(operation, request, token, place);
  if (request.error() != nullptr) std::rethrow_exception(request.error());
}

void yield_io(Token token, Place place) {
  if (!token) return suspend(place);
  Event& ending = resolve(*token.event());
  ending.start();  // from here on it counts, as in any wait
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

bool detail::Turns::take_or_line_up(Waiter& waiter) noexcept {
  if (!taken_) {
    taken_ = true;
    return true;
  }
  line_.push_back(waiter);
  return false;
}

void detail::Turns::refuse_all() noexcept {
  refuse_all(line_.is_empty() ? nullptr : stream_was_closed());
}

/// In a loop, not one inside the other: the line may be long.
void detail::Turns::hand_on() noexcept {
  if (handing_on_) return;
  handing_on_ = true;
  while (!taken_ && !line_.is_empty()) {
    taken_ = true;
    line_.grant_first();
  }
  handing_on_ = false;
}

void detail::Turns::stand_in_line(Token token, Place place) {
  Waiter waiter{"Stream turn"};
  line_.push_back(waiter);
  const CountInLine count{!kept_};
  try {
    waiter.wait("A read or write of a stream", token, place);
  } catch (...) {
    if (waiter.is_granted()) give_back();
    throw;
  }
  if (!refused_) return;
  give_back();
  std::rethrow_exception(stream_was_closed());
}

}  // namespace weft
