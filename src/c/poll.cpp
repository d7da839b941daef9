#include "weft/poll.hpp"

#include "c/guard.hpp"
#include "weft/timeout.hpp"

using weft::Poll;
using weft::c::guarded;
using weft::c::milliseconds;

static_assert(static_cast<unsigned>(WEFT_READABLE) == Poll::readable &&
              static_cast<unsigned>(WEFT_WRITABLE) == Poll::writable &&
              static_cast<unsigned>(WEFT_DISCONNECT) == Poll::disconnect &&
              static_cast<unsigned>(WEFT_PRIORITIZED) == Poll::prioritized);

extern "C" {

int weft_poll_at(int descriptor, unsigned wanted, unsigned* ready, const char* file,
                 unsigned line) {
  if (ready != nullptr) *ready = 0;
  return guarded([&] {
    const unsigned mask = weft::await(weft::poll(descriptor, wanted), weft::Place{file, line});
    if (ready != nullptr) *ready = mask;
  });
}

int weft_poll(int descriptor, unsigned wanted, unsigned* ready) {
  return weft_poll_at(descriptor, wanted, ready, nullptr, 0);
}

int weft_poll_for_at(int descriptor, unsigned wanted, unsigned* ready, uint64_t time,
                     const char* file, unsigned line) {
  if (ready != nullptr) *ready = 0;
  return guarded([&] {
    auto limit = weft::timeout(milliseconds(time));
    const unsigned mask = weft::await(weft::poll(descriptor, wanted), limit, {file, line});
    if (ready != nullptr) *ready = mask;
  });
}

int weft_poll_for(int descriptor, unsigned wanted, unsigned* ready, uint64_t time) {
  return weft_poll_for_at(descriptor, wanted, ready, time, nullptr, 0);
}

}  // extern "C"
