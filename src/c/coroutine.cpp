#include "weft/coroutine.hpp"

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

int weft_spawn(weft_coroutine** coroutine, weft_body body, void* data) {
  give(reinterpret_cast<void**>(coroutine), nullptr);
  return guarded([&] {
    auto made = coroutine != nullptr ? std::make_unique<weft_coroutine>() : nullptr;
    auto handle = weft::spawn([body, data] { return run_body(body, data); });
    if (made == nullptr) return;
    made->handle = std::move(handle);
    *coroutine = made.release();
  });
}

int weft_await(weft_coroutine* coroutine, void** result) {
  give(result, nullptr);
  return guarded([&] { give(result, weft::await(coroutine->handle)); });
}

int weft_await_for(weft_coroutine* coroutine, uint64_t time, void** result) {
  give(result, nullptr);
  return guarded(
      [&] { give(result, weft::await(coroutine->handle, weft::timeout(milliseconds(time)))); });
}

void weft_cancel(weft_coroutine* coroutine) { coroutine->handle.cancel(); }

int weft_is_completed(const weft_coroutine* coroutine) {
  return coroutine->handle.is_completed() ? 1 : 0;
}

void weft_release(weft_coroutine* coroutine) { delete coroutine; }

int weft_suspend(void) {
  return guarded([] { weft::suspend(); });
}

int weft_delay(uint64_t time) {
  return guarded([&] { weft::delay(milliseconds(time)); });
}

}  // extern "C"
