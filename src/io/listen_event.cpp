#include "weft/extend/listen_event.hpp"

#include <cerrno>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/real_calls.hpp"
#include "io/accept.hpp"
#include "reactor/descriptor.hpp"

namespace weft {

/// Notified when a connection may have arrived. Counted: the event may go while it notifies.
class ListenEvent::Step final : public Callback {
 public:
  explicit Step(ListenEvent& owner) noexcept : owner_{&owner} {}
  void forget() noexcept { owner_ = nullptr; }
  void on_notify(Event& event, const Outcome& outcome) noexcept override {
    if (owner_ == nullptr) return;
    if (event.is_closed()) return owner_->notify_and_close(outcome);  // the socket is closed too
    owner_->accept_one();
  }

 private:
  ~Step() override = default;
  ListenEvent* owner_;
};

ListenEvent::ListenEvent(int descriptor) noexcept : number_{descriptor} {}

ListenEvent::~ListenEvent() {
  fail_waiters();
  stop_all();
  if (step_) {
    poll_->remove_callback(*step_);
    step_->forget();
  }
  if (accepted_ >= 0) real_calls.close(accepted_);
}

int ListenEvent::take() noexcept { return std::exchange(accepted_, -1); }

void ListenEvent::arm(Reactor& /*reactor*/) {
  if (!poll_) {
    Ref<Step> step = make_ref<Step>(*this);
    poll_ = make_ref<Poll>(number_, unsigned{Poll::readable});
    poll_->set_hidden(true);  // the ListenEvent counts as active, not its Poll
    poll_->add_callback(*step);
    step_ = std::move(step);
  }
  poll_->start();
  if (accepted_ >= 0) notify(Outcome::of(accepted_));
}

void ListenEvent::started_again() {
  if (accepted_ >= 0) notify(Outcome::of(accepted_));
}

void ListenEvent::disarm(Reactor& /*reactor*/) noexcept { poll_->stop(); }

void ListenEvent::accept_one() noexcept {
  if (accepted_ >= 0) return notify(Outcome::of(accepted_));
  accepted_ = try_accept(number_, peer_);
  if (accepted_ >= 0) return notify(Outcome::of(accepted_));
  if (errno == EAGAIN || errno == EINTR) return;  // another process may have accepted it
  try {
    throw std::system_error{errno, std::generic_category(), "accept from " + info()};
  } catch (...) {
    notify(Outcome{std::current_exception()});
  }
}

bool ListenEvent::replay(Outcome& outcome) const {
  return is_closed() && poll_->Poll::replay(outcome);
}

std::string ListenEvent::info() const {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  auto* const raw = reinterpret_cast<sockaddr*>(&storage);
  if (::getsockname(number_, raw, &size) != 0) return "Listen";
  const Address address = Address::from_native(raw, size);
  return "Listen(host=" + address.host() + ", port=" + std::to_string(address.port()) + ")";
}

}  // namespace weft
