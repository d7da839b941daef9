#pragma once

#include <exception>

#include "classes/coroutine.hpp"
#include "engine.hpp"
#include "error.hpp"
#include "no_suspension.hpp"
#include "request.hpp"

// Where the engine and the runtime meet. Everything that goes from one to the other goes through
// one of the functions here, so that three rules hold:
// - No C++ exception passes through a frame of the engine. in_runtime() catches it, and throws it
//   in PHP.
// - No bailout, which is a longjmp(), skips a destructor. in_engine() catches it, and it goes on as
//   an exception of C++ to the next in_runtime(), which bails out when all frames are left.
// - No PHP code runs unless the VM state of its coroutine is loaded, and no coroutine parks
//   before its own is saved.
namespace weft_php {

inline bool Request::back_in_engine(CoroutineRecord& me, std::exception_ptr& error) {
  current = &me;
  me.vm.load();
  if (error != nullptr || has_news_ || !attic.is_empty()) [[unlikely]]
    return handle_news(me, error);
  return EG(exception) == nullptr;
}

/// From PHP into the runtime: calls `work`, which may throw. Returns false if an
/// exception of PHP is in flight now.
template <class Work>
[[nodiscard]] bool in_runtime(Work&& work) {
  CoroutineRecord& me = *request->current;
  std::exception_ptr error;
  me.vm.save();
  try {
    work();
  } catch (...) {
    error = std::current_exception();
  }
  return request->back_in_engine(me, error);
}

/// The same for work that suspends: throws in PHP where no coroutine may be suspended.
template <class Work>
[[nodiscard]] bool wait_in_runtime(Work&& work) {
  return may_suspend_here() && in_runtime(std::forward<Work>(work));
}

/// Ends the output buffers of a coroutine whose PHP code was left with `error`, as the engine does
/// at the end of a script: their callbacks run, and a fatal error that is in a buffer is printed.
/// Returns the error with what the callbacks threw.
[[nodiscard]] std::exception_ptr end_output(std::exception_ptr error) noexcept;

/// Underneath in_engine(): calls `work` in the engine as the coroutine `me`, on a stack of the
/// virtual machine that is made for the call unless there is one. Returns what it threw; after a
/// fatal error `work` is not called.
template <class Work>
[[nodiscard]] std::exception_ptr run_in_engine(CoroutineRecord& me, Work&& work) noexcept {
  if (request->has_bailed()) [[unlikely]]
    return std::make_exception_ptr(Unwound{Unwound::How::bailout});
  volatile bool bailed = false;
  const bool is_first = !me.in_engine;
  request->current = &me;
  if (is_first) {
    me.vm.begin();
    me.in_engine = true;
  } else {
    me.vm.load();
  }
  JMP_BUF* const outer = EG(bailout);
  EG(bailout) = nullptr;
  zend_try {
    request->attic.empty();
    work();
  }
  zend_catch { bailed = true; }
  zend_end_try();
  EG(bailout) = outer;
  std::exception_ptr error = take_exception();
  if (bailed) error = std::make_exception_ptr(Unwound{Unwound::How::bailout});
  if (is_first && OG(active) != nullptr) [[unlikely]]
    error = end_output(std::move(error));
  if (is_first) {
    me.vm.end();
    me.in_engine = false;
  } else {
    me.vm.save();
  }
  if (const Unwound* const how = unwound(error))
    request->left_by(how->how, is_first ? nullptr : &me);
  return error;
}

/// From the runtime into PHP: calls `work`, which may suspend, but holds nothing with a destructor
/// while PHP code runs. Throws what the PHP code throws.
template <class Work>
void in_engine(Work&& work) {
  if (std::exception_ptr error = run_in_engine(CoroutineRecord::of_current(), work)) {
    std::rethrow_exception(error);
  }
}

}  // namespace weft_php
