#pragma once

#include "weft/detail/abi.hpp"

#include <cstdint>

#include "weft/bridge.hpp"
#include "weft/place.hpp"

// How a language takes part in the hooked calls of its coroutines; in the library weft::bridge.
namespace weft::bridge {

/// How a wait of a hooked call ended.
enum class Ended : std::uint8_t {
  ready,        ///< the wait was notified; the hook tries the call again
  timed_out,    ///< the deadline has come
  interrupted,  ///< a signal handler has run
  cancelled,    ///< the coroutine is cancelled; that stays pending, see take_cancellation()
  closed,       ///< a descriptor was closed meanwhile
  busy,         ///< another coroutine waits in the same direction; see last_refusal()
  failed,       ///< it cannot be watched; errno says why
};

/// A host whose code calls libraries: it has state of its own for each coroutine, which it saves
/// before a hooked call leaves the coroutine's stack, and loads when the call is back there.
///
/// None of these functions may suspend, throw, or leave in another way than by its return.
class Host {
 public:
  Host() = default;
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  /// Whether a hooked call of the current coroutine may suspend now. It blocks the thread
  /// otherwise, as the real call does. Asked once for each call, before it does anything.
  [[nodiscard]] virtual bool may_suspend() noexcept { return true; }
  /// On the stack of the coroutine, directly before `call` leaves it: "recv"; "yield" when the
  /// bridge suspends only for fairness, after many calls that did not wait. False: the call does
  /// not wait, but ends with ECANCELED, because an error of the host is in flight; after_wait() is
  /// not called then.
  [[nodiscard]] virtual bool before_wait(const char* call) noexcept = 0;
  /// The line of the host's code that waits, for reports. Asked after before_wait().
  [[nodiscard]] virtual Place place() noexcept { return {}; }
  /// On the same stack, directly after it is back; once for each before_wait() that returned true.
  /// `ended` is never `busy`.
  ///
  /// `cancelled`: the call returns -1 with ECANCELED next, and so does each further one that would
  /// wait. A host that throws an error of its own takes the cancellation here, or when the library
  /// has returned: with take_cancellation(), after which calls wait again.
  virtual void after_wait(Ended ended) noexcept = 0;
  /// A call was refused and returns -1 with EBUSY next. False: the warning is to be written that
  /// programs without a host get.
  [[nodiscard]] virtual bool refused(const Refusal& /*refusal*/) noexcept { return false; }
  /// Handlers of signals have run on this thread since the last time. Called by the loop soon
  /// afterwards, in the scheduler phase, also while all coroutines wait in functions of weft: for
  /// a host whose handlers only note the signal.
  virtual void handlers_have_run() noexcept {}
  /// pclose() ends without having waited for its command, which still runs. The bridge collects it
  /// when it has ended.
  virtual void left_behind(int /*child*/) noexcept {}

 protected:
  ~Host() = default;
};

/// From now on `host` takes part in the hooked calls of this thread; null: none does. Returns the
/// host before. Waits that are under way keep theirs.
Host* set_host(Host* host) noexcept;

}  // namespace weft::bridge
