#include "scheduler/park.hpp"
#include "weft/error.hpp"
#include "weft/extend/waker.hpp"
#include "weft/suspend.hpp"

namespace weft {
namespace {

/// What main waits for until the others have ended.
class OthersEnded final : public Event {
 public:
  OthersEnded() noexcept { set(passive_flag); }
  ~OthersEnded() override = default;
  [[nodiscard]] std::string info() const override { return "exit()"; }
};

}  // namespace

void Scheduler::exit(std::exception_ptr request, PackedPlace place) {
  if (!is_shutting_down()) {
    ending_.shutdown({}, std::move(request));
  } else {
    ending_.propose_error(std::move(request));
  }
  if (in_phase() || !has_current() || exceptions_->uncaught != 0 || current_->shields_ > 0) return;
  if (current_ == main_.get()) {
    OthersEnded others;
    Waker& waker = current_->waker().renew();
    waker.resume_when(others);
    detail::suspend_at(waker, place);
  }
  if (current_->deferred_ != CancelReason::none) throw_cancelled(*current_);
  throw Cancelled::with_literal(cancel_text(CancelReason::shutdown));
}

}  // namespace weft
