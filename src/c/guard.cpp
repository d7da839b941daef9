#include "c/guard.hpp"

#include <new>
#include <string>
#include <system_error>

#include "base/current.hpp"
#include "scheduler/thread_memory.hpp"
#include "weft/channel_error.hpp"
#include "weft/coroutine.hpp"
#include "weft/error.hpp"
#include "weft/extend/embed.hpp"

namespace weft::c {
namespace {

constexpr const char* note_name = "weft::c cancellation";

/// The cancellation that was returned to a C body as a code, kept with its coroutine.
std::exception_ptr* note_of_current() {
  return static_cast<std::exception_ptr*>(current().base().internal_value(internal_key(note_name)));
}

int sort(const std::exception_ptr& error, int& number) {
  try {
    std::rethrow_exception(error);
  } catch (const Failure& failure) {
    return failure.code();
  } catch (const Cancelled&) {
    return WEFT_CANCELLED;
  } catch (const TimedOut&) {
    return WEFT_TIMED_OUT;
  } catch (const ChannelClosed&) {
    return WEFT_CLOSED;
  } catch (const DeadlockError&) {
    return WEFT_DEADLOCK;
  } catch (const MisuseError&) {
    return WEFT_MISUSE;
  } catch (const ValueError&) {
    return WEFT_MISUSE;
  } catch (const std::bad_alloc&) {
    return WEFT_NO_MEMORY;
  } catch (const std::system_error& refused) {
    const std::error_category& kind = refused.code().category();
    if (kind == std::system_category() || kind == std::generic_category()) {
      number = refused.code().value();
    }
    return refused.code() == std::errc::operation_canceled ? WEFT_CLOSED : WEFT_FAILED;
  } catch (...) {
    return WEFT_FAILED;
  }
}

}  // namespace

int code_of(const std::exception_ptr& error) noexcept {
  try {
    ThreadMemory& memory = ThreadMemory::of_thread();
    memory.error_number = 0;
    memory.error_text = describe(error);
    const int code = sort(error, memory.error_number);
    if (code == WEFT_CANCELLED && current().is_cancellation_requested()) {
      if (std::exception_ptr* note = note_of_current(); note != nullptr && *note == nullptr) {
        *note = error;
      }
    }
    return code;
  } catch (const std::bad_alloc&) {
    return WEFT_NO_MEMORY;
  } catch (...) {  // outside a runtime there is no coroutine to keep it with
    int number = 0;
    return sort(error, number);
  }
}

void* run_body(weft_body body, void* data) {
  std::exception_ptr cancelled;
  struct Note {
    unsigned key = internal_key(note_name);
    ~Note() { current().base().set_internal_value(key, nullptr, nullptr); }
  } const note;
  current().base().set_internal_value(note.key, &cancelled, nullptr);
  void* result = nullptr;
  const int code = body(data, &result);
  if (cancelled != nullptr) std::rethrow_exception(cancelled);
  if (code != WEFT_OK) throw Failure{code};
  return result;
}

}  // namespace weft::c

extern "C" {

const char* weft_error_text(void) {
  const weft::ThreadMemory* memory = weft::current_thread.memory;
  return memory != nullptr ? memory->error_text.c_str() : "";
}

int weft_error_number(void) {
  const weft::ThreadMemory* memory = weft::current_thread.memory;
  return memory != nullptr ? memory->error_number : 0;
}

const char* weft_strerror(int code) {
  switch (code) {
    case WEFT_OK:
      return "success";
    case WEFT_CANCELLED:
      return "cancelled";
    case WEFT_TIMED_OUT:
      return "the time has passed";
    case WEFT_CLOSED:
      return "closed";
    case WEFT_WOULD_WAIT:
      return "it would have to wait";
    case WEFT_NO_MEMORY:
      return "no memory";
    case WEFT_MISUSE:
      return "used in a way that cannot work; weft_error_text() says more";
    case WEFT_DEADLOCK:
      return "deadlock: all coroutines waited, and no event could wake one";
    case WEFT_FAILED:
      return "failed; weft_error_text() says more";
    default:
      return code >= WEFT_OWN_CODES ? "a code of the program" : "unknown code";
  }
}

}  // extern "C"
