#include "weft/coroutine.hpp"

#include <memory>

#include "c/guard.hpp"
#include "weft/await.hpp"
#include "weft/delay.hpp"
#include "weft/runtime.hpp"
#include "weft/suspend.hpp"
#include "weft/timeout.hpp"

using weft::c::give;
using weft::c::guarded;
using weft::c::milliseconds;
using weft::c::run_body;

struct weft_coroutine {
  weft::Coroutine<void*> handle;
};

extern "C" {

int weft_run(weft_body body, void* data, void** result) {
  give(result, nullptr);
  return guarded([&] { give(result, weft::run([&] { return run_body(body, data); })); });
}

int weft_spawn_at(weft_coroutine** coroutine, weft_body body, void* data, const char* file,
                  unsigned line) {
  give(reinterpret_cast<void**>(coroutine), nullptr);
  return guarded([&] {
    auto made = coroutine != nullptr ? std::make_unique<weft_coroutine>() : nullptr;
    auto handle =
        weft::spawn([body, data] { return run_body(body, data); }, weft::Place{file, line});
    if (made == nullptr) return;
    made->handle = std::move(handle);
    *coroutine = made.release();
  });
}

int weft_spawn(weft_coroutine** coroutine, weft_body body, void* data) {
  return weft_spawn_at(coroutine, body, data, nullptr, 0);
}

int weft_await_at(weft_coroutine* coroutine, void** result, const char* file, unsigned line) {
  give(result, nullptr);
  return guarded([&] { give(result, weft::await(coroutine->handle, weft::Place{file, line})); });
}

int weft_await(weft_coroutine* coroutine, void** result) {
  return weft_await_at(coroutine, result, nullptr, 0);
}

int weft_await_for_at(weft_coroutine* coroutine, uint64_t time, void** result, const char* file,
                      unsigned line) {
  give(result, nullptr);
  return guarded([&] {
    give(result, weft::await(coroutine->handle, weft::timeout(milliseconds(time)),
                             weft::Place{file, line}));
  });
}

int weft_await_for(weft_coroutine* coroutine, uint64_t time, void** result) {
  return weft_await_for_at(coroutine, time, result, nullptr, 0);
}

void weft_cancel(weft_coroutine* coroutine) { coroutine->handle.cancel(); }

int weft_is_completed(const weft_coroutine* coroutine) {
  return coroutine->handle.is_completed() ? 1 : 0;
}

void weft_release(weft_coroutine* coroutine) { delete coroutine; }

int weft_suspend_at(const char* file, unsigned line) {
  return guarded([&] { weft::suspend(weft::Place{file, line}); });
}

int weft_suspend(void) { return weft_suspend_at(nullptr, 0); }

int weft_delay_at(uint64_t time, const char* file, unsigned line) {
  return guarded([&] { weft::delay(milliseconds(time), weft::Place{file, line}); });
}

int weft_delay(uint64_t time) { return weft_delay_at(time, nullptr, 0); }

}  // extern "C"
