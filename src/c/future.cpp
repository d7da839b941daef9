#include "weft/future.hpp"

#include <memory>
#include <string>

#include "c/guard.hpp"
#include "weft/error.hpp"
#include "weft/promise.hpp"
#include "weft/timeout.hpp"

using weft::c::Failure;
using weft::c::give;
using weft::c::guarded;
using weft::c::milliseconds;

// C has no places for these: the lines of this file would only mislead.
struct weft_future {
  weft::Promise<void*> promise{weft::Place{}};
  weft::Future<void*> future = promise.future();
};

extern "C" {

int weft_future_create(weft_future** future) {
  *future = nullptr;
  return guarded([&] {
    auto made = std::make_unique<weft_future>();
    made->future.ignore();  // C has codes for failures: no warning for an unread one
    *future = made.release();
  });
}

int weft_future_complete(weft_future* future, void* value) {
  return guarded([&] { future->promise.complete(value, weft::Place{}); });
}

int weft_future_fail(weft_future* future, int code) {
  return guarded([&] {
    if (code == WEFT_OK) throw weft::ValueError{"A future cannot fail with WEFT_OK"};
    future->promise.fail(std::make_exception_ptr(Failure{code}), weft::Place{});
  });
}

int weft_future_cancel(weft_future* future) {
  return guarded([&] { future->promise.cancel(std::string{}, weft::Place{}); });
}

int weft_future_await_at(weft_future* future, void** value, const char* file, unsigned line) {
  give(value, nullptr);
  return guarded([&] { give(value, weft::await(future->future, weft::Place{file, line})); });
}

int weft_future_await(weft_future* future, void** value) {
  return weft_future_await_at(future, value, nullptr, 0);
}

int weft_future_await_for_at(weft_future* future, uint64_t time, void** value, const char* file,
                             unsigned line) {
  give(value, nullptr);
  return guarded([&] {
    give(value, weft::await(future->future, weft::timeout(milliseconds(time)), {file, line}));
  });
}

int weft_future_await_for(weft_future* future, uint64_t time, void** value) {
  return weft_future_await_for_at(future, time, value, nullptr, 0);
}

int weft_future_is_completed(const weft_future* future) {
  return future->future.is_completed() ? 1 : 0;
}

void weft_future_release(weft_future* future) { delete future; }

}  // extern "C"
