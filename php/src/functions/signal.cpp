#include "weft/signal.hpp"

#include <array>
#include <csignal>
#include <cstring>
#include <typeinfo>

#include "boundary.hpp"
#include "classes.hpp"
#include "classes/future.hpp"
#include "parameters.hpp"
#include "place.hpp"

extern "C" {
#include "zend_signal.h"
}

// signal(). The engine handles most signals itself, and ends the process at one that PHP code has
// no handler for. While a future waits for a signal, the engine gets a handler that does nothing;
// handlers of pcntl_signal() stay, and are called as well.

using namespace weft_php;

namespace {

struct Listening {
  std::uint32_t futures = 0;
  bool is_quiet = false;       // the engine has our handler
  struct sigaction before {};  // what it had
};
std::array<Listening, NSIG> listening_for;

void do_nothing(int /*number*/) {}

/// Whether a handler is installed for the signal.
bool is_handled_by_engine(int number) {
  struct sigaction present {};
  if (::sigaction(number, nullptr, &present) != 0) return false;
  return (present.sa_flags & SA_SIGINFO) != 0 ||
         (present.sa_handler != SIG_DFL && present.sa_handler != SIG_IGN);
}

/// Keeps the engine from ending the process at this signal: gives it a handler that does nothing,
/// unless pcntl_signal() has set one.
void quieten(int number) {
#ifdef ZEND_SIGNALS
  Listening& row = listening_for[static_cast<std::size_t>(number)];
  struct sigaction present {};
  zend_sigaction(number, nullptr, &present);
  if (!is_handled_by_engine(number) || present.sa_handler != SIG_DFL) return;
  row.before = present;
  row.is_quiet = true;
  struct sigaction quiet {};
  quiet.sa_handler = do_nothing;
  zend_sigaction(number, &quiet, nullptr);
#else
  (void)number;
#endif
}

void begin_listening(int number) {
  if (listening_for[static_cast<std::size_t>(number)].futures++ == 0) quieten(number);
}

void end_listening(int number) noexcept {
  Listening& row = listening_for[static_cast<std::size_t>(number)];
  if (--row.futures > 0 || !std::exchange(row.is_quiet, false)) return;
#ifdef ZEND_SIGNALS
  struct sigaction present {};
  zend_sigaction(number, nullptr, &present);
  if (present.sa_handler == do_nothing) zend_sigaction(number, &row.before, nullptr);
#endif
}

/// The future of signal(): the case of the enum when the signal comes. Not a map() of
/// weft::signal(): the engine gets its handler back at once when the wait ends, also because no
/// reader is left.
class SignalFuture final : public SharedFuture {
 public:
  SignalFuture(int number, Value result, weft::Place place)
      : SharedFuture{place}, number_{number}, result_{std::move(result)}, place_{place} {}

  void listen(weft::Token token) {
    begin_listening(number_);
    is_listening_ = true;
    try {
      signal_ = weft::signal(number_, token, place_);
    } catch (...) {
      leave();
      throw;
    }
    signal_.ignore();
    if (signal_.is_completed()) return arrived(signal_.exception());
    self_ = weft::Ref<SignalFuture>{this};
    signal_.state().add_callback(arrival_);
  }

 private:
  class Arrival final : public weft::Callback {
   public:
    explicit Arrival(SignalFuture& future) noexcept : future_{future} {}
    ~Arrival() override = default;
    void on_notify(weft::Event& event, const weft::Outcome& outcome) noexcept override {
      event.claim_error();
      future_.arrived(outcome.error());
    }

   private:
    SignalFuture& future_;
  };

  ~SignalFuture() override { leave(); }
  void unwanted() noexcept override { leave(); }

  void arrived(std::exception_ptr error) noexcept {
    const weft::Ref<SignalFuture> keep{this};
    leave();
    if (error == nullptr) return complete(place_, result_);
    // A token that has completed without an error of its own.
    if (*error.__cxa_exception_type() == typeid(weft::OperationCancelled)) {
      error = std::make_exception_ptr(weft::Cancelled{"Signal wait cancelled"});
    }
    fail(std::move(error), place_);
  }
  void leave() noexcept {
    const weft::Ref<SignalFuture> self = std::move(self_);
    if (arrival_.is_subscribed()) signal_.state().remove_callback(arrival_);
    signal_ = {};  // stops listening, before the engine gets its handler back
    if (std::exchange(is_listening_, false)) end_listening(number_);
  }

  int number_;
  Value result_;
  weft::Place place_;
  weft::Future<int> signal_;
  Arrival arrival_{*this};
  weft::Ref<SignalFuture> self_;  // while it waits: chains may need it when no object is left
  bool is_listening_ = false;
};

zif_handler set_pcntl_handler = nullptr;

/// Calls pcntl_signal(), which puts the engine's handler over that of the runtime, and puts the
/// runtime's back on top.
void set_pcntl_handler_beside(INTERNAL_FUNCTION_PARAMETERS) {
  set_pcntl_handler(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  if (request == nullptr || EG(exception) != nullptr || ZEND_NUM_ARGS() < 1) return;
  const zval* const given = ZEND_CALL_ARG(execute_data, 1);
  const zend_long number = Z_TYPE_P(given) == IS_LONG ? Z_LVAL_P(given) : 0;
  if (number < 1 || number >= NSIG) return;
  if (listening_for[static_cast<std::size_t>(number)].futures == 0) return;
  quieten(static_cast<int>(number));
  (void)in_runtime([&] {
    weft::SignalEvent again{static_cast<int>(number)};
    again.start();
    again.stop();
  });
}

}  // namespace

namespace weft_php {

void listen_beside_pcntl() {
  auto* const function = static_cast<zend_function*>(
      zend_hash_str_find_ptr(CG(function_table), ZEND_STRL("pcntl_signal")));
  if (function == nullptr || function->type != ZEND_INTERNAL_FUNCTION) return;
  set_pcntl_handler = std::exchange(function->internal_function.handler, set_pcntl_handler_beside);
}

}  // namespace weft_php

ZEND_FUNCTION(Async_signal) {
  zend_object* signal = nullptr;
  zend_object* given = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 2)
  Z_PARAM_OBJ_OF_CLASS(signal, ce_Async_Signal)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJ_OF_CLASS_OR_NULL(given, ce_Async_Completable)
  ZEND_PARSE_PARAMETERS_END();
  const int number =
      weft::signal_from_linux(static_cast<int>(Z_LVAL_P(zend_enum_fetch_case_value(signal))));
  switch (number) {
    case SIGKILL:
    case SIGSEGV:
    case SIGFPE:
    case SIGILL:
    case -1:
      zend_argument_value_error(1, "must be a signal that can be caught");
      RETURN_THROWS();
    default:
      break;
  }
  if (!start()) RETURN_THROWS();
  weft::Event* const token = given != nullptr ? event_of(given) : nullptr;
  if (given != nullptr && token == nullptr) RETURN_THROWS();
  if (token != nullptr) token->set(weft::Event::result_used_flag);
  auto& made = ObjectKind<FutureObject>::make(ce_Async_Future);
  ZVAL_OBJ(return_value, made.self());
  const weft::Place place = place_here();
  (void)in_runtime([&] {
    const auto state = weft::make_ref<SignalFuture>(number, Value{*signal}, place);
    made.begin(FutureObject::Future{state});
    state->listen(token != nullptr ? weft::Token{*token} : weft::Token{});
  });
}
