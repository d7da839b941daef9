// The three walks of docs/walk.md: `walk WALK` takes one of them and prints the functions that it
// enters. Built by tools/trace_walk.py with -finstrument-functions, which calls the two hooks
// below.

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string_view>

#include <weft/extend/clock.hpp>
#include <weft/weft.hpp>

namespace {

struct Entry {
  void* function;
  void* call_site;
};
constexpr std::size_t most_entries = 100'000;
Entry entries[most_entries];
std::size_t entered = 0;
bool tracing = false;

/// A clock that stands still: how often a pass reads the clock depends on the time between
/// readings.
class StoppedClock final : public weft::Clock {
 public:
  [[nodiscard]] weft::TimePoint now() noexcept override { return {}; }
};

// Only the last turn is traced. The earlier ones create stacks, the loop and the memory of
// coroutines, and let the scheduler learn that it need not read the clock in every pass.
constexpr int turns = 200;

void delay() {
  constexpr int delays = 2;
  for (int turn = 1; turn <= delays; ++turn) {
    tracing = turn == delays;
    weft::delay(std::chrono::milliseconds{5});
    tracing = false;
  }
}

// The sender parks, the receiver takes the value and wakes the sender; the rest of the receiver is
// not part of the walk.
void send() {
  weft::Channel<int> channel;
  auto receiver = weft::spawn([&] {
    for (int turn = 1; turn <= turns; ++turn) {
      weft::suspend();
      channel.recv();
      tracing = false;
    }
  });
  weft::suspend();
  for (int turn = 1; turn <= turns; ++turn) {
    tracing = turn == turns;
    channel.send(turn);
  }
  weft::await(receiver);
}

void spawn() {
  for (int turn = 1; turn <= turns; ++turn) {
    tracing = turn == turns;
    auto coroutine = weft::spawn([] {});
    weft::await(coroutine);
    tracing = false;
  }
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the compiler's names.
extern "C" {
[[gnu::no_instrument_function]] void __cyg_profile_func_enter(void* function, void* call_site) {
  if (tracing && entered < most_entries) entries[entered++] = {function, call_site};
}
[[gnu::no_instrument_function]] void __cyg_profile_func_exit(void* /*function*/,
                                                             void* /*call_site*/) {}
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

int main(int argc, char** argv) {
  const std::string_view name = argc == 2 ? argv[1] : "";
  void (*const walk)() = name == "delay"   ? delay
                         : name == "send"  ? send
                         : name == "spawn" ? spawn
                                           : nullptr;
  if (walk == nullptr) {
    std::fprintf(stderr, "usage: walk delay|send|spawn\n");
    return 2;
  }
  StoppedClock stopped;
  weft::Options options;
  if (walk != delay) options.clock = &stopped;
  weft::run([&] { walk(); }, options);
  for (std::size_t i = 0; i < entered; ++i) {
    std::printf("%p %p\n", entries[i].call_site, entries[i].function);
  }
  return entered < most_entries ? 0 : 1;
}
