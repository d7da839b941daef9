#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <ostream>
#include <shared_mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/assert.hpp"
#include "testing/scenario.hpp"

// Every pair of primitives: one coroutine uses the second inside the first, another one uses the
// first inside the second, and a third cancels one of them. All waits have a timeout, so that no
// coroutine waits for ever for a partner that was cancelled.
namespace pairs_explore_test {

using weft::testing::every_point;
using weft_test::Inside;
using weft_test::require;
using namespace std::chrono_literals;

using Inner = weft::Function<void()>;
using Letter = std::unique_ptr<int>;

weft::Timeout limit() { return weft::timeout(1ms); }

/// A channel that counts the letters sent and received: at the end, both numbers must be equal.
struct Post {
  explicit Post(std::size_t capacity) : channel{capacity} {}
  ~Post() {
    while (channel.try_recv()) ++received;
    WEFT_ASSERT(posted == received, "each letter that was sent is received once");
    WEFT_ASSERT(channel.is_empty(), "no waiter is left in a queue");
  }
  void send() {
    Hand hand{*this};
    channel.send(std::move(hand.letter), limit());
  }
  void receive() { took(channel.recv(limit())); }
  void took(const Letter& letter) {
    require(letter != nullptr, "a letter arrives complete");
    ++received;
  }

  struct Hand {
    Post& post;
    Letter letter = std::make_unique<int>(1);
    ~Hand() { post.posted += letter == nullptr ? 1 : 0; }
  };
  weft::Channel<Letter> channel;
  int posted = 0;
  int received = 0;
};

/// The objects that the coroutines share, one of each kind.
struct World {
  Post buffered{1};
  Post rendezvous{0};
  Post selected{0};
  weft::Mutex mutex;
  weft::SharedMutex shared_mutex;
  weft::Semaphore semaphore{1};
  weft::Mutex condition_mutex;
  weft::ConditionVariable condition;
  weft::Barrier barrier{2};
  weft::WaitGroup wait_group;
  weft::Once once;
  weft::RateLimiter rate_limiter{1, 100us};
  weft::Promise<int> promise;
  weft::Future<int> future = promise.future();
  weft::Pool<int> pool{{.max = 1, .create = [] { return 1; }}};
  bool condition_holds = false;
  int in_mutex = 0;
  int readers = 0;
  int writers = 0;
  int in_semaphore = 0;
  int in_pool = 0;
  int in_once = 0;

  World() { future.ignore(); }
  ~World() {
    WEFT_ASSERT(!mutex.is_locked() && mutex.waiting() == 0, "the mutex is free");
    WEFT_ASSERT(!shared_mutex.is_locked() && shared_mutex.readers() == 0,
                "the shared mutex is free");
    WEFT_ASSERT(semaphore.available() == 1 && semaphore.waiting() == 0, "the permit is there");
    WEFT_ASSERT(!condition_mutex.is_locked() && condition.waiting() == 0, "no waiter is left");
    WEFT_ASSERT(barrier.waiting() == 0 && wait_group.count() == 0,
                "no coroutine waits at the barrier");
    WEFT_ASSERT(rate_limiter.waiting() == 0, "no coroutine waits for the rate limiter");
    WEFT_ASSERT(pool.active() == 0 && pool.waiting() == 0, "the resource was given back");
  }
};

/// One use of a primitive, which calls `inner` meanwhile. `side`, 0 or 1, says which part to play
/// in a primitive for two.
struct Actor {
  const char* name;
  void (*use)(World& world, int side, Inner& inner);
};

void use_mutex(World& world, int /*side*/, Inner& inner) {
  world.mutex.lock(limit());
  const std::lock_guard lock{world.mutex, std::adopt_lock};
  const Inside here{world.in_mutex, 1};
  inner();
}

void use_shared_mutex(World& world, int side, Inner& inner) {
  if (side == 0) {
    world.shared_mutex.lock(limit());
    const std::lock_guard lock{world.shared_mutex, std::adopt_lock};
    const Inside here{world.writers, 1};
    require(world.readers == 0, "no reader beside a writer");
    inner();
  } else {
    world.shared_mutex.lock_shared(limit());
    const std::shared_lock lock{world.shared_mutex, std::adopt_lock};
    const Inside here{world.readers, 2};
    require(world.writers == 0, "no writer beside a reader");
    inner();
  }
}

void use_semaphore(World& world, int /*side*/, Inner& inner) {
  world.semaphore.acquire(limit());
  const weft_test::AtEnd release{[&] { world.semaphore.release(); }};
  const Inside here{world.in_semaphore, 1};
  inner();
}

void use_pool(World& world, int /*side*/, Inner& inner) {
  const auto lease = world.pool.acquire(limit());
  const Inside here{world.in_pool, 1};
  inner();
}

void use_buffered(World& world, int /*side*/, Inner& inner) {
  world.buffered.send();
  inner();
  world.buffered.receive();
}

void use_rendezvous(World& world, int side, Inner& inner) {
  if (side == 0) {
    world.rendezvous.send();
  } else {
    world.rendezvous.receive();
  }
  inner();
}

void use_select(World& world, int /*side*/, Inner& inner) {
  Post& post = world.selected;
  Post::Hand hand{post};
  bool met = false;
  weft::select(weft::on_recv(post.channel,
                             [&](Letter letter) {
                               post.took(letter);
                               met = true;
                             }),
               weft::on_send(post.channel, std::move(hand.letter), [&] { met = true; }),
               weft::on(limit(), [] {}));
  if (met) inner();
}

void use_future(World& world, int side, Inner& inner) {
  if (side == 0) {
    if (!world.future.is_completed()) world.promise.complete(7);
  } else {
    require(weft::await(world.future, limit()) == 7, "the future has the value of its promise");
  }
  inner();
}

void use_group(World& /*world*/, int /*side*/, Inner& inner) {
  weft::TaskGroup<int> group;
  group.spawn([] { return 3; });
  const auto results = weft::await(group.all(weft::TaskErrors::ignore), limit());
  require(results.size() <= 1, "one task, one result, unless it was cancelled");
  inner();
}

void use_scope(World& /*world*/, int side, Inner& inner) {
  if (side == 1) return weft::with_scope([&](weft::Scope&) { inner(); });
  const weft::Ref<weft::Scope> scope = weft::Scope::inherit();
  scope->spawn([] { weft::delay(1h); });
  inner();
  scope->cancel();
  scope->await_after_cancellation({}, limit());
}

void use_timeout(World& /*world*/, int /*side*/, Inner& inner) {
  weft::with_timeout(1ms, [&] { inner(); });
}

void use_condition(World& world, int side, Inner& inner) {
  world.condition_mutex.lock(limit());
  std::unique_lock lock{world.condition_mutex, std::adopt_lock};
  if (side == 0) {
    world.condition_holds = true;
    world.condition.notify_one();
  } else {
    world.condition.wait(
        lock, [&] { return world.condition_holds; }, limit());
    require(world.condition_mutex.is_mine(), "a notified coroutine holds the mutex");
  }
  inner();
}

void use_barrier(World& world, int /*side*/, Inner& inner) {
  world.barrier.arrive_and_wait(limit());
  inner();
}

void use_wait_group(World& world, int side, Inner& inner) {
  if (side == 0) {
    world.wait_group.add();
    const weft_test::AtEnd done{[&] { world.wait_group.done(); }};
    inner();
  } else {
    world.wait_group.wait(limit());
    inner();
  }
}

void use_once(World& world, int /*side*/, Inner& inner) {
  world.once.call(
      [&] {
        const Inside here{world.in_once, 1};
        inner();
      },
      limit());
}

void use_rate_limiter(World& world, int /*side*/, Inner& inner) {
  world.rate_limiter.acquire(limit());
  inner();
}

constexpr std::array actors{
    Actor{"Buffered", use_buffered},
    Actor{"Rendezvous", use_rendezvous},
    Actor{"Select", use_select},
    Actor{"Mutex", use_mutex},
    Actor{"Shared", use_shared_mutex},
    Actor{"Semaphore", use_semaphore},
    Actor{"Condition", use_condition},
    Actor{"Barrier", use_barrier},
    Actor{"WaitGroup", use_wait_group},
    Actor{"Once", use_once},
    Actor{"RateLimiter", use_rate_limiter},
    Actor{"Future", use_future},
    Actor{"Group", use_group},
    Actor{"Pool", use_pool},
    Actor{"Scope", use_scope},
    Actor{"Timeout", use_timeout},
};

/// Uses `actor`; a timeout, without a partner, is no failure.
void use(const Actor& actor, World& world, int side, Inner inner) {
  try {
    actor.use(world, side, inner);
  } catch (const weft::OperationCancelled&) {
  }
}

struct Pair {
  const Actor* first;
  const Actor* second;

  /// Runs the scenario; with `crowd`, two coroutines of each kind.
  void meet(bool crowd) const {
    const auto world = std::make_shared<World>();
    const auto nest = [world](const Actor* outer, const Actor* inner, int side) {
      return [=] {
        use(*outer, *world, side, [&] {
          // Not all primitives can be used twice by one coroutine.
          if (inner != outer) return use(*inner, *world, side, [] { weft::suspend(); });
          weft::suspend();
        });
      };
    };
    const auto victim = weft::spawn(nest(first, second, 0));
    weft::spawn(nest(second, first, 1));
    if (crowd) {
      weft::spawn(nest(first, second, 1));
      weft::spawn(nest(second, first, 0));
    }
    weft::spawn([victim] { victim.cancel(); });
  }
  [[nodiscard]] std::string name() const { return std::string{first->name} + second->name; }
};

std::ostream& operator<<(std::ostream& out, const Pair& pair) { return out << pair.name(); }

std::vector<Pair> all_pairs() {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < actors.size(); ++i) {
    for (std::size_t j = i; j < actors.size(); ++j) pairs.push_back({&actors[i], &actors[j]});
  }
  return pairs;
}

void expect_peace(const Pair& pair, const weft::testing::Schedules& schedules, bool crowd) {
  const auto report = weft::testing::explore([&] { pair.meet(crowd); },
                                             {.schedules = schedules, .cancel = every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
  ::testing::Test::RecordProperty("schedules", std::to_string(report.schedules()));
}

class ExploredPairTest : public ::testing::TestWithParam<Pair> {};
class StressPairTest : public ::testing::TestWithParam<Pair> {};
const auto name_of = [](const ::testing::TestParamInfo<Pair>& info) { return info.param.name(); };
INSTANTIATE_TEST_SUITE_P(Of, ExploredPairTest, ::testing::ValuesIn(all_pairs()), name_of);
INSTANTIATE_TEST_SUITE_P(StressOf, StressPairTest, ::testing::ValuesIn(all_pairs()), name_of);

// trap 1, trap 2, trap 6, trap 7
TEST_P(ExploredPairTest, LosesNothingAndLeavesNoWaiter) {
  expect_peace(GetParam(), weft::testing::all, false);
}

// trap 1, trap 2, trap 6, trap 7
TEST_P(StressPairTest, LosesNothingInACrowd) {
  constexpr std::uint64_t seeds = 20'000;  // for each pair: millions in total
  expect_peace(GetParam(), weft::testing::random(seeds, 1), true);
}

}  // namespace pairs_explore_test
