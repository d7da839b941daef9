#include "weft/signal.hpp"

#include <utility>

#include "base/system_calls.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

/// A future that waits for a signal while it is pending.
class SignalFuture final : public FutureState<int> {
 public:
  SignalFuture(int number, Place place) : FutureState<int>{place}, place_{place} {
    event_ = make_ref<OwnEvent>(number, *this);
  }

  void listen(Token token) {
    Event* const ending = token ? &weft::resolve(*token.event()) : nullptr;
    if (ending != nullptr && ending->is_closed()) {
      Outcome outcome;
      ending->replay(outcome);
      ending->set(error_caught_flag);
      return end_with(outcome.error());
    }
    arrival_ = make_ref<Arrival>(*this);
    event_->add_callback(*arrival_);
    self_ = Ref<SignalFuture>{this};
    try {
      if (ending != nullptr) use(*ending);
      event_->start();
      listening_ = true;
    } catch (...) {
      leave();
      throw;
    }
  }

 protected:
  void unwanted() noexcept override { leave(); }

 private:
  /// One way in which the future may end. Outlives the future while an event notifies it.
  class Arrival : public Callback {
   public:
    explicit Arrival(SignalFuture& future) noexcept : future_{&future} {}
    void on_notify(Event& event, const Outcome& outcome) noexcept override {
      if (future_ == nullptr) return;
      const Ref<SignalFuture> keep{future_};
      if (&event == keep->token_) {
        event.claim_error();
        keep->end_with(outcome.error());
      } else {
        keep->arrived(static_cast<SignalEvent&>(event).number());
      }
    }
    void detach() noexcept { future_ = nullptr; }

   private:
    SignalFuture* future_;
  };

  /// Leaves the loop with the runtime, too: the signal can then never arrive.
  class OwnEvent final : public SignalEvent {
   public:
    OwnEvent(int number, SignalFuture& future) : SignalEvent{number}, future_{&future} {}
    ~OwnEvent() override { stop_all(); }
    void detach() noexcept { future_ = nullptr; }

   private:
    void disarm(Reactor& reactor) noexcept override {
      SignalEvent::disarm(reactor);
      if (SignalFuture* const future = std::exchange(future_, nullptr)) future->runtime_ends();
    }
    SignalFuture* future_;
  };

  ~SignalFuture() override { leave(); }

  void use(Event& token) {
    token.set(Event::result_used_flag);
    ending_ = make_ref<Arrival>(*this);
    token.start();
    token_ = &token;
    if (!token.has(Event::no_free_memory_flag)) token_owner_ = Ref<Event>{&token};
    token.add_callback(*ending_);
  }

  void arrived(int number) noexcept {
    leave();
    try {
      complete(place_, number);
    } catch (...) {
      leave_pending(std::current_exception());
    }
  }

  void end_with(const std::exception_ptr& error) noexcept {
    leave();
    try {
      fail(error != nullptr ? error : std::make_exception_ptr(OperationCancelled{}), place_);
    } catch (...) {
      leave_pending(std::current_exception());
    }
  }

  void runtime_ends() noexcept {
    const Ref<SignalFuture> keep{this};
    leave();
    abandon();
  }

  /// Detaches from the signal and from the token.
  void leave() noexcept {
    const Ref<SignalFuture> self = std::move(self_);
    if (event_) event_->detach();
    if (arrival_) {
      arrival_->detach();
      event_->remove_callback(*arrival_);
      arrival_ = nullptr;
    }
    if (std::exchange(listening_, false)) event_->stop();
    if (ending_) ending_->detach();
    if (Event* const token = std::exchange(token_, nullptr)) {
      token->remove_callback(*ending_);
      token->stop();
    }
    ending_ = nullptr;
  }

  Place place_;
  Ref<OwnEvent> event_;
  Ref<Arrival> arrival_;
  Ref<Arrival> ending_;
  Event* token_ = nullptr;
  Ref<Event> token_owner_;  // if counted; kept to the end, because it may be notifying this future
  Ref<SignalFuture> self_;  // while it waits: chains may need it when no future is left
  bool listening_ = false;
};

}  // namespace

Future<int> signal(int number, Token token, Place place) {
  const auto state = make_ref<SignalFuture>(number, place);
  state->listen(token);
  return Future<int>{state};
}

Future<int> signal(int number, Timeout&& limit, Place place) {
  const auto counted = make_ref<Timeout>(limit.duration());
  return signal(number, Token{counted}, place);
}

int signal_from_linux(int number) noexcept { return native_signal(number); }

}  // namespace weft
