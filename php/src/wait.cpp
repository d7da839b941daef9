#include "wait.hpp"

#include "boundary.hpp"
#include "classes.hpp"
#include "no_suspension.hpp"
#include "parameters.hpp"
#include "place.hpp"

namespace weft_php {

std::exception_ptr own_cancellation() {
  weft::Cancellation taken = weft::take_cancellation();
  if (taken.error != nullptr) return std::move(taken.error);
  const char* text = "Coroutine cancelled";
  if (!taken.text.empty()) {
    text = taken.text.c_str();
  } else if (taken.reason == weft::CancelReason::scope) {
    text = "Scope was cancelled";
  } else if (taken.reason == weft::CancelReason::shutdown) {
    text = "Graceful shutdown";
  } else if (taken.reason == weft::CancelReason::deadlock) {
    text = "Deadlock detected";
  }
  return std::make_exception_ptr(weft::Cancelled{text});
}

namespace {

/// The error to throw if something other than the awaited event ended the wait; else null.
/// `triggered` is the position of what ended it: 1 for the token.
std::exception_ptr error_of_wait(weft::Woken woken, std::exception_ptr error, int triggered) {
  switch (woken) {
    case weft::Woken::cancelled:
      return own_cancellation();
    case weft::Woken::failed:
      return error;
    case weft::Woken::refused:
      return std::make_exception_ptr(
          weft::MisuseError{"A coroutine cannot be stopped from the Scheduler context"});
    case weft::Woken::event:
      break;
  }
  if (triggered != 1) return nullptr;
  return std::make_exception_ptr(
      weft::OperationCancelled{"Operation has been cancelled", std::move(error)});
}

/// Suspends until `event` has an outcome or `token`, if any, fires. Returns the error to throw, or
/// null.
std::exception_ptr park_until(weft::Event& event, weft::Event* token, weft::Place place) noexcept {
  std::exception_ptr error;
  if (token == nullptr) {
    const weft::Woken woken = weft::park(event, error, place);
    return error_of_wait(woken, std::move(error), 0);
  }
  try {
    weft::Waker& waker = weft::current().base().waker().renew();
    waker.resume_when(weft::Ref<weft::Event>{&event});
    waker.resume_when(weft::Ref<weft::Event>{token});
    const weft::Woken woken = weft::park(waker, error, place);
    return error_of_wait(woken, std::move(error), waker.triggered());
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace

void throw_unless_ended(weft::Event& event, weft::Event* token, weft::Place place) {
  if (std::exception_ptr error = park_until(event, token, place)) std::rethrow_exception(error);
}

bool wait_for(weft::Event& event, weft::Event* token) {
  if (!may_suspend_here()) return false;
  CoroutineRecord& me = *request->current;
  const weft::Place place = place_here();
  me.vm.save();
  std::exception_ptr error = park_until(event, token, place);
  return request->back_in_engine(me, error);
}

__attribute__((no_stack_protector)) bool yield() {
  if (!may_suspend_here()) return false;
  CoroutineRecord& me = *request->current;
  const weft::Place place = place_here();
  std::exception_ptr error;
  me.vm.save();
  const weft::Woken woken = weft::park(error, place);
  if (woken != weft::Woken::event || error != nullptr) [[unlikely]] {
    error = error_of_wait(woken, std::move(error), 0);
  }
  return request->back_in_engine(me, error);
}

void await_object(zend_object* awaitable, zend_object* token, zval* result) {
  Object* const awaited = awaitable_of(awaitable);
  weft::Event* const event = awaited != nullptr ? event_of(awaitable) : nullptr;
  if (event == nullptr) return;
  weft::Event* const ends = token != nullptr ? event_of(token) : nullptr;
  if (token != nullptr && ends == nullptr) return;
  // Both count as used, even if the wait ends otherwise.
  event->set(weft::Event::result_used_flag);
  if (ends != nullptr) ends->set(weft::Event::result_used_flag);
  if (!awaited->is_completed() && !wait_for(*event, ends)) return;
  awaited->outcome(result);
}

}  // namespace weft_php

using namespace weft_php;

ZEND_FUNCTION(Async_suspend) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (request != nullptr) (void)yield();
}

ZEND_FUNCTION(Async_await) {
  zend_object* awaitable = nullptr;
  zend_object* token = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 2)
  Z_PARAM_OBJ_OF_CLASS(awaitable, ce_Async_Completable)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJ_OF_CLASS_OR_NULL(token, ce_Async_Completable)
  ZEND_PARSE_PARAMETERS_END();
  if (start()) await_object(awaitable, token, return_value);
}
