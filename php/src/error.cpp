#include "error.hpp"

#include <new>
#include <string>
#include <string_view>
#include <typeinfo>

#include "classes.hpp"
#include "request.hpp"

namespace weft_php {
namespace {

zend_class_entry* class_for(const weft::Error& error) {
  if (dynamic_cast<const weft::OperationCancelled*>(&error) != nullptr) {
    return ce_Async_OperationCanceledException;
  }
  if (dynamic_cast<const weft::DeadlockError*>(&error) != nullptr) return ce_Async_DeadlockError;
  if (dynamic_cast<const weft::ChannelClosed*>(&error) != nullptr) {
    return ce_Async_ChannelException;
  }
  if (dynamic_cast<const weft::PoolClosed*>(&error) != nullptr) return ce_Async_PoolException;
  if (dynamic_cast<const weft::ServiceUnavailable*>(&error) != nullptr) {
    return ce_Async_ServiceUnavailableException;
  }
  if (dynamic_cast<const weft::ValueError*>(&error) != nullptr) return zend_ce_value_error;
  return ce_Async_AsyncException;
}

/// A TimedOut without a previous error is that of an awaited timeout; with one, it is that of a
/// wait which a timeout has ended.
Value from_timeout(const weft::TimedOut& error) {
  if (error.previous() == nullptr) return make_exception(ce_Async_TimeoutException, error.what());
  return make_exception(ce_Async_OperationCanceledException, "Operation has been cancelled",
                        as_object(error.previous()));
}

/// The text of a ChannelException, as PHP words it.
const char* text_for(weft::CloseReason reason) {
  switch (reason) {
    case weft::CloseReason::disposed:
      return "Channel disposed";
    case weft::CloseReason::no_producers:
      return "Channel deadlock: no producers";
    case weft::CloseReason::no_consumers:
      return "Channel deadlock: no consumers";
    case weft::CloseReason::deadlock:
      return "Channel deadlock";
    case weft::CloseReason::scope_disposed:
      return "Channel closed: owner scope disposed";
    default:
      return "Channel is closed";
  }
}

const char* reason_case(weft::CloseReason reason) {
  switch (reason) {
    case weft::CloseReason::disposed:
      return "DISPOSED";
    case weft::CloseReason::no_producers:
      return "NO_PRODUCERS";
    case weft::CloseReason::no_consumers:
      return "NO_CONSUMERS";
    case weft::CloseReason::deadlock:
      return "DEADLOCK";
    case weft::CloseReason::scope_disposed:
      return "SCOPE_DISPOSED";
    default:
      return "EXPLICIT";
  }
}

Value from_channel(const weft::ChannelClosed& error) {
  Value made = make_exception(ce_Async_ChannelException, text_for(error.reason()));
  zval reason;
  ZVAL_OBJ_COPY(&reason,
                zend_enum_get_case_cstr(ce_Async_ChannelCloseReason, reason_case(error.reason())));
  zend_update_property(ce_Async_ChannelException, made.object(), ZEND_STRL("reason"), &reason);
  zval_ptr_dtor(&reason);
  return made;
}

Value from_composite(const weft::CompositeError& error) {
  const std::size_t count = error.errors().size();
  const std::string text = std::to_string(count) + (count == 1 ? " exception" : " exceptions");
  // The first error is the previous one too, so that the report of an uncaught composite shows it.
  Value made = make_exception(ce_Async_CompositeException, text.c_str(),
                              count == 0 ? Value{} : as_object(error.errors().front()));
  for (const std::exception_ptr& one : error.errors()) {
    Value object = as_object(one);
    if (object.is_set()) add_to_composite(made.object(), object.get());
  }
  return made;
}

/// The class that declares the private properties of an exception.
zend_class_entry* base_of(const zend_object& exception) {
  return instanceof_function(exception.ce, zend_ce_exception) ? zend_ce_exception : zend_ce_error;
}

/// Whether code of users does not throw the class itself, as it does those of the core and of SPL:
/// an exception class of another extension, such as PDO.
bool is_of_an_extension(const zend_class_entry& ce) {
  if (ce.type != ZEND_INTERNAL_CLASS || ce.info.internal.module == nullptr) return false;
  const std::string_view module = ce.info.internal.module->name;
  return module != "Core" && module != "SPL" && module != "weft";
}

}  // namespace

const char* Thrown::what() const noexcept {
  zend_object* const object = error_.object();
  zval scratch;
  const zval* const text =
      zend_read_property(base_of(*object), object, ZEND_STRL("message"), true, &scratch);
  return Z_TYPE_P(text) == IS_STRING ? Z_STRVAL_P(text) : "";
}

zend_object* cancellation_in(zend_object& exception) noexcept {
  zend_object* one = &exception;
  while (!instanceof_function(one->ce, ce_Cancellation)) {
    if (!is_of_an_extension(*one->ce)) return nullptr;
    zval scratch;
    const zval* const previous =
        zend_read_property_ex(base_of(*one), one, ZSTR_KNOWN(ZEND_STR_PREVIOUS), true, &scratch);
    if (Z_TYPE_P(previous) != IS_OBJECT) return nullptr;
    one = Z_OBJ_P(previous);
  }
  return one;
}

std::exception_ptr as_error(zend_object& exception) {
  if (zend_is_unwind_exit(&exception) || zend_is_graceful_exit(&exception)) {
    return std::make_exception_ptr(Unwound{Unwound::How::exit});
  }
  if (zend_object* const cancellation = cancellation_in(exception)) {
    return std::make_exception_ptr(ThrownCancellation{Value{*cancellation}});
  }
  return std::make_exception_ptr(Thrown{Value{exception}});
}

std::exception_ptr take_exception() noexcept {
  zend_object* const exception = EG(exception);
  if (exception == nullptr) return nullptr;
  std::exception_ptr error;
  try {
    error = as_error(*exception);
  } catch (...) {
    error = std::current_exception();
  }
#ifdef ZEND_HAS_OOM
  // The memory limit ends a script by the same unwinding as `exit`, but it is a fatal error. The
  // engine would refuse every further call until this is reset.
  if (ZEND_HAS_OOM()) {
    EG(delayed_oom).state = ZEND_OOM_STATE_NONE;
    error = std::make_exception_ptr(Unwound{Unwound::How::bailout});
  }
#endif
  if (zend_is_unwind_exit(exception) || zend_is_graceful_exit(exception)) {
    EG(exception) = nullptr;
    OBJ_RELEASE(exception);
  } else {
    zend_clear_exception();
  }
  return error;
}

const Unwound* unwound(const std::exception_ptr& error) noexcept {
  if (error == nullptr) return nullptr;
  const std::type_info& type = *error.__cxa_exception_type();
  if (type != typeid(Unwound) && type != typeid(weft::CompositeError)) return nullptr;
  static thread_local Unwound found;
  try {
    std::rethrow_exception(error);
  } catch (const Unwound& how) {
    found = how;
    return &found;
  } catch (const weft::CompositeError& composite) {
    for (const std::exception_ptr& one : composite.errors()) {
      if (const Unwound* const how = unwound(one)) return how;
    }
  }
  return nullptr;
}

Value as_object(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Thrown& thrown) {
    return thrown.error();
  } catch (const ThrownCancellation& thrown) {
    return thrown.error();
  } catch (const Unwound&) {
    return {};
  } catch (const weft::Cancelled& cancelled) {
    Value previous;
    if (cancelled.previous() != nullptr) previous = as_object(cancelled.previous());
    return make_exception(ce_Async_AsyncCancellation, cancelled.reason(), previous);
  } catch (const weft::TimedOut& timed_out) {
    return from_timeout(timed_out);
  } catch (const weft::ChannelClosed& closed) {
    return from_channel(closed);
  } catch (const weft::CompositeError& composite) {
    return from_composite(composite);
  } catch (const weft::Error& other) {
    Value previous;
    if (other.previous() != nullptr) previous = as_object(other.previous());
    return make_exception(class_for(other), other.what(), previous);
  } catch (const std::exception& foreign) {
    return make_exception(ce_Async_AsyncException, foreign.what());
  } catch (...) {
    return make_exception(ce_Async_AsyncException, "An unknown error");
  }
}

Value make_exception(zend_class_entry* ce, const char* text, const Value& previous) {
  zval made;
  object_init_ex(&made, ce);
  zend_class_entry* const base =
      instanceof_function(ce, zend_ce_exception) ? zend_ce_exception : zend_ce_error;
  zend_update_property_string(base, Z_OBJ(made), ZEND_STRL("message"), text);
  if (previous.is_set()) zend_exception_set_previous(Z_OBJ(made), Value{previous}.detach_object());
  return Value::adopt(made);
}

void throw_in_php(Value exception) {
  if (request != nullptr && instanceof_function(exception.object()->ce, ce_Cancellation)) {
    request->expect_cancellation_in_main();
  }
  zval thrown;
  ZVAL_COPY(&thrown, exception.get());
  exception.reset();
  zend_throw_exception_object(&thrown);
}

void chain_to_exception(const std::exception_ptr& replaced) {
  zend_object* const thrown = EG(exception);
  if (thrown == nullptr || replaced == nullptr || zend_is_unwind_exit(thrown) ||
      zend_is_graceful_exit(thrown) || unwound(replaced) != nullptr) {
    return;
  }
  zend_exception_set_previous(thrown, as_object(replaced).detach_object());
}

void throw_in_php(const std::exception_ptr& error) {
  if (unwound(error) != nullptr) {
    zend_throw_unwind_exit();
    return;
  }
  throw_in_php(as_object(error));
}

std::exception_ptr cancellation_from(zend_object* given, const char* text) {
  if (given != nullptr) return std::make_exception_ptr(ThrownCancellation{Value{*given}});
  return std::make_exception_ptr(
      ThrownCancellation{make_exception(ce_Async_AsyncCancellation, text)});
}

}  // namespace weft_php
