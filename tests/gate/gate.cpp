// The hot paths whose instructions are counted: `gate PATH N` runs PATH N times.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <weft/weft.hpp>

namespace {

constexpr long thousand = 1'000;  // N is a multiple of it

void yield(long n) {
  const auto yields = [n] {
    for (long i = 0; i < n / 2; ++i) weft::suspend();
  };
  auto other = weft::spawn(yields);
  yields();
  weft::await(other);
}

void yield_ring_1000(long n) {
  std::vector<weft::Coroutine<void>> ring;
  for (long member = 0; member < thousand; ++member) {
    ring.push_back(weft::spawn([n] {
      for (long i = 0; i < n / thousand; ++i) weft::suspend();
    }));
  }
  for (const auto& member : ring) weft::await(member);
}

void yield_ring_100000(long n) {
  std::vector<weft::Coroutine<void>> ring;
  constexpr long members = 100 * thousand;
  for (long member = 0; member < members; ++member) {
    ring.push_back(weft::spawn({.stack_size = 1}, [n] {
      for (long i = 0; i < n / members; ++i) weft::suspend();
    }));
  }
  for (const auto& member : ring) weft::await(member);
}

void spawn_and_await(long n) {
  for (long i = 0; i < n; ++i) weft::await(weft::spawn([] {}));
}

void spawn_1000_then_await(long n) {
  for (long i = 0; i < n; i += thousand) {
    std::vector<weft::Coroutine<void>> coroutines;
    for (long j = 0; j < thousand; ++j) coroutines.push_back(weft::spawn([] {}));
    for (const auto& coroutine : coroutines) weft::await(coroutine);
  }
}

void task_of_1000(long n) {
  for (long i = 0; i < n; i += thousand) {
    weft::TaskGroup<void> group{{.concurrency = 0, .queue_limit = 0}};
    for (long j = 0; j < thousand; ++j) group.spawn([] {});
    weft::await(group.all());
  }
}

void await_completed(long n) {
  auto completed = weft::spawn([] {});
  weft::await(completed);
  for (long i = 0; i < n; ++i) weft::await(completed);
}

void round_trip(long n) {
  weft::Channel<long> there;
  weft::Channel<long> back;
  auto other = weft::spawn([&] {
    for (long i = 0; i < n; ++i) back.send(there.recv());
  });
  for (long i = 0; i < n; ++i) {
    there.send(i);
    back.recv();
  }
  weft::await(other);
}

/// An event that ring() notifies.
class Bell final : public weft::Event {
 public:
  void ring() noexcept { notify(weft::Outcome{}); }
};

// Each turn is one wait for an event and one yield.
void await_event(long n) {
  auto other = weft::spawn([n] {
    Bell bell;
    auto ringer = weft::spawn([&bell, n] {
      for (long i = 0; i < n; ++i) {
        bell.ring();
        weft::suspend();
      }
    });
    for (long i = 0; i < n; ++i) weft::await(bell);
    weft::await(ringer);
  });
  weft::await(other);
}

// Waits with a token, each in a new coroutine, like a server with a coroutine for each connection.
void await_with_token(long n) {
  Bell never;
  for (long i = 0; i < n; ++i) {
    Bell bell;
    auto waits = weft::spawn([&] { weft::await(bell, never); });
    weft::suspend();
    bell.ring();
    weft::await(waits);
  }
}

void buffered(long n) {
  weft::Channel<long> channel{16};
  auto other = weft::spawn([&] {
    for (long i = 0; i < n; ++i) channel.send(i);
  });
  for (long i = 0; i < n; ++i) channel.recv();
  weft::await(other);
}

void lock_and_unlock(long n) {
  weft::Mutex mutex;
  for (long i = 0; i < n; ++i) {
    mutex.lock();
    mutex.unlock();
  }
}

/// Two coroutines that each run `walk` for half of the turns.
template <class Walk>
void take_turns(long n, const Walk& half) {
  auto other = weft::spawn([&] { half(n / 2); });
  half(n / 2);
  weft::await(other);
}

// Each turn is one hand-over and one yield: during the yield, the other coroutine queues for the
// lock.
void mutex_hand_over(long n) {
  weft::Mutex mutex;
  take_turns(n, [&](long turns) {
    for (long i = 0; i < turns; ++i) {
      mutex.lock();
      weft::suspend();
      mutex.unlock();
    }
  });
}

void pool_lease(long n) {
  weft::Pool<int> pool{{.max = 1, .create = [] { return 7; }}};
  for (long i = 0; i < n; ++i) const auto lease = pool.acquire();
}

void pool_hand_over(long n) {
  weft::Pool<int> pool{{.max = 1, .create = [] { return 7; }}};
  take_turns(n, [&](long turns) {
    for (long i = 0; i < turns; ++i) {
      const auto lease = pool.acquire();
      weft::suspend();
    }
  });
}

struct Path {
  std::string_view name;
  void (*walk)(long);
};
constexpr Path paths[] = {
    {"yield", yield},
    {"yield_ring_1000", yield_ring_1000},
    {"yield_ring_100000", yield_ring_100000},
    {"spawn_and_await", spawn_and_await},
    {"spawn_1000_then_await", spawn_1000_then_await},
    {"task_of_1000", task_of_1000},
    {"await_completed", await_completed},
    {"round_trip", round_trip},
    {"await_event", await_event},
    {"await_with_token", await_with_token},
    {"buffered", buffered},
    {"lock_and_unlock", lock_and_unlock},
    {"mutex_hand_over", mutex_hand_over},
    {"pool_lease", pool_lease},
    {"pool_hand_over", pool_hand_over},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc == 3 ? argv[1] : "";
  const long n = argc == 3 ? std::atol(argv[2]) : 0;
  for (const Path& path : paths) {
    if (path.name == name) {
      weft::Options options;
      // Polls would depend on the speed of the machine.
      options.reactor_every = std::chrono::hours{1};
      weft::run([&] { path.walk(n); }, options);
      return 0;
    }
  }
  std::fprintf(stderr, "usage: gate PATH N, where PATH is one of\n");
  for (const Path& path : paths) std::fprintf(stderr, "  %s\n", path.name.data());
  return 2;
}
