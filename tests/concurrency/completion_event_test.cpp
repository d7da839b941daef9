#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// The completion events of scopes, groups and sets: each notifies once.
namespace completion_event_test {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using weft::Event;
using weft::Ref;
using weft::Scope;
using weft::testing::settle;
using weft_test::Call;
using weft_test::collecting;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::text;

static_assert(std::is_convertible_v<Scope&, Event&>);
static_assert(std::is_convertible_v<weft::TaskGroup<int>&, Event&>);
static_assert(std::is_convertible_v<weft::TaskSet<int>&, Event&>);

const weft::Place made{"foo.cpp", 10};

// R-EVT-1, R-EVT-14: the outcome of a cancelled scope is the cancellation, and is replayed.
TEST(CompletionEventTest, OfAScopeHappensWhenItIsCancelledAndAllHaveEnded) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    auto child = scope->spawn([] {
      try {
        weft::delay(1h);
      } catch (const weft::Cancelled&) {
        weft::protect([] { weft::delay(1s); });
        throw;
      }
    });
    auto watcher = weft::spawn([&] { weft::await(*scope); });
    settle();
    scope->cancel();
    settle();
    EXPECT_FALSE(watcher.is_completed()) << "one coroutine still cleans up";
    const auto error = error_of([&] { weft::await(watcher); });
    EXPECT_EQ(text(error), "cancelled: The scope has been cancelled");
    EXPECT_TRUE(child.is_completed());
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(*scope); }))) << "it is replayed";
  });
}

// R-EVT-1: an open scope may get more coroutines, so it is not over.
TEST(CompletionEventTest, OfAScopeThatRestsHasNotHappened) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    scope->spawn([] {});
    auto watcher = weft::spawn([&] { weft::await(*scope); });
    settle();
    EXPECT_TRUE(scope->is_finished());
    EXPECT_FALSE(watcher.is_completed());
    watcher.cancel();
  });
}

// R-RC-4: a wait for the event holds no handle; a scope that was not cancelled ends without an
// error.
TEST(CompletionEventTest, OfAScopeDoesNotKeepItsHandle) {
  weft::testing::run([] {
    Ref<Scope> scope = Scope::create();
    auto watcher = weft::spawn([event = &static_cast<Event&>(*scope)] { weft::await(*event); });
    settle();
    scope = nullptr;
    weft::await(watcher);

    Ref<Scope> busy = Scope::create();
    auto child = busy->spawn([] { weft::delay(1h); });
    const Ref<Event> event{&static_cast<Event&>(*busy)};
    busy = nullptr;
    settle();
    EXPECT_TRUE(child.is_completed()) << "a reference to the event is none to the scope";
    EXPECT_TRUE(event->is_closed());
  });
}

// R-SCP-12: zombies are not waited for.
TEST(CompletionEventTest, OfAScopeDoesNotWaitForZombies) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    auto zombie = scope->spawn([] { weft::delay(1s); });
    settle();
    scope->dispose_safely();
    EXPECT_TRUE(static_cast<Event&>(*scope).is_closed());
    EXPECT_FALSE(zombie.is_completed());
    weft::await(zombie);
  });
}

// R-SCP-14
TEST(CompletionEventTest, OfAScopeIsRefusedToItsMembers) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    auto member = scope->spawn([&] { weft::await(*scope); });
    auto below = scope->spawn([&] {
      const Ref<Scope> child = Scope::inherit();
      weft::await(child->spawn([&] { weft::await(*scope); }));
    });
    scope->set_exception_handler([](Scope&, const weft::AnyCoroutine&, std::exception_ptr) {});
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { weft::await(member); })));
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { weft::await(below); })));
    EXPECT_EQ(static_cast<Event&>(*scope).subscribers(), 0U);
  });
}

// R-SCP-18: a wait for the event takes the failure, when all have ended.
TEST(CompletionEventTest, OfAScopeHasTheFailureThatEndedIt) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    scope->spawn([] { throw std::runtime_error{"broken"}; });
    auto sibling = scope->spawn([] { weft::delay(1h); });
    EXPECT_EQ(text(error_of([&] { weft::await(*scope); })), "broken");
    EXPECT_TRUE(sibling.is_completed());
    EXPECT_EQ(text(error_of([&] { weft::await(*scope); })), "broken") << "it is replayed";
  });
}

// trap 83: a subscriber that does not take the failure must not make it vanish.
TEST(CompletionEventTest, OfAScopeLosesNoFailureToACallbackThatDoesNotTakeIt) {
  int notified = 0;
  Call call{[&](Event&, const weft::Outcome& outcome) {
    if (outcome.error() != nullptr) ++notified;
  }};
  const auto error = error_of([&] {
    weft::testing::run(
        [&] {
          const Ref<Scope> scope = Scope::create();
          static_cast<Event&>(*scope).add_callback(call);
          scope->spawn([] { throw std::runtime_error{"broken"}; });
          settle();
        },
        weft_test::quiet());
  });
  EXPECT_EQ(notified, 1);
  EXPECT_EQ(text(error), "broken");
}

// R-SCP-17: the event comes after the finally handlers of the scope.
TEST(CompletionEventTest, OfAScopeComesAfterItsFinallyHandlers) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    bool cleaned = false;
    scope->on_finally([&](Scope&) {
      weft::delay(1s);
      cleaned = true;
    });
    auto watcher = weft::spawn([&] { weft::await(*scope); });
    settle();
    scope->cancel();
    EXPECT_NE(error_of([&] { weft::await(watcher); }), nullptr);
    EXPECT_TRUE(cleaned);
  });
}

// R-EVT-2: the event may be a token, and a case beside timers.
TEST(CompletionEventTest, OfAScopeIsATokenAndACase) {
  weft::testing::run([] {
    Ref<Scope> scope = Scope::create();
    Event& event = *scope;
    const Ref<Event> keep{&event};
    Doorbell bell;
    auto waiting = weft::spawn([&] { weft::await(bell, event); });
    auto choosing = weft::spawn(
        [&] { return weft::select(weft::on(weft::timeout(1h), [] {}), weft::on(event, [] {})); });
    settle();
    scope = nullptr;
    EXPECT_TRUE(is<weft::OperationCancelled>(error_of([&] { weft::await(waiting); })));
    EXPECT_EQ(weft::await(choosing), 1U);
  });
}

template <class Tasks>
class TasksEventTest : public ::testing::Test {};
using Both = ::testing::Types<weft::TaskGroup<int>, weft::TaskSet<int>>;
TYPED_TEST_SUITE(TasksEventTest, Both);

// R-EVT-1, R-TGR-6, R-TGR-7: notifies when the group is closed and all tasks have ended, never with
// an error of a task.
TYPED_TEST(TasksEventTest, HappensWhenItIsClosedAndAllTasksHaveEnded) {
  weft::testing::run([] {
    TypeParam tasks;
    tasks.spawn([] { return 1; });
    tasks.spawn([]() -> int { throw std::runtime_error{"broken"}; });
    auto watcher = weft::spawn([&] { weft::await(tasks); });
    settle();
    EXPECT_TRUE(tasks.is_finished());
    EXPECT_FALSE(watcher.is_completed()) << "it is open";
    tasks.close();
    weft::await(watcher);
    weft::await(tasks);  // replayed
    tasks.suppress_errors();
  });
}

// R-TGR-5
TYPED_TEST(TasksEventTest, HappensAfterACancel) {
  weft::testing::run([] {
    TypeParam tasks;
    tasks.spawn([] {
      weft::delay(1h);
      return 1;
    });
    auto watcher = weft::spawn([&] { weft::await(tasks); });
    settle();
    tasks.cancel();
    weft::await(watcher);
  });
}

// R-RC-4: a wait for the event does not keep the group alive.
TYPED_TEST(TasksEventTest, OutlivesTheObject) {
  weft::testing::run([] {
    Ref<Event> event;
    {
      TypeParam tasks;
      tasks.spawn([] {
        weft::delay(1h);
        return 1;
      });
      event = Ref<Event>{&static_cast<Event&>(tasks)};
      settle();
    }
    EXPECT_TRUE(event->is_closed());
    weft::await(*event);
    EXPECT_THAT(event->info(), HasSubstr("(total="));
  });
}

// R-OBS-3
TEST(CompletionEventTest, SaysWhichScopeItIs) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create(made);
    const std::string id = std::to_string(scope->id());
    EXPECT_EQ(scope->info(), "Scope #" + id + " created at foo.cpp:10");
    EXPECT_EQ(static_cast<Event&>(*scope).info(), scope->info());
    const Ref<Scope> child = Scope::inherit(*scope);
    EXPECT_THAT(child->info(), HasSubstr("completion_event_test.cpp:"));
    EXPECT_EQ(child->id(), scope->id() + 1);
  });
}

// R-OBS-3, R-DLK-4: reports name the awaited scope or group.
TEST(CompletionEventTest, IsWhatWaitsForScopesAndGroupsShow) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create(made);
    scope->spawn([] { weft::delay(1s); });
    auto first = weft::spawn([&] { scope->await_completion({}); });
    auto second = weft::spawn([&] {
      weft::with_scope([](Scope& inner) { inner.spawn([] { weft::delay(1s); }); }, made);
    });
    weft::TaskGroup<int> group{{.concurrency = 1, .queue_limit = 1}, made};
    for (int i = 0; i < 2; ++i) {
      group.spawn([] {
        weft::delay(1s);
        return 1;
      });
    }
    auto third = weft::spawn([&] { group.spawn([] { return 2; }); });
    auto fourth = weft::spawn([&] { (void)group.all().await(); });
    settle();
    EXPECT_EQ(first.awaiting().at(0),
              "Scope #" + std::to_string(scope->id()) + " (1 coroutine) created at foo.cpp:10");
    EXPECT_THAT(second.awaiting().at(0), HasSubstr(" (1 coroutine) created at foo.cpp:10"));
    const std::string of_group = "TaskGroup #" + std::to_string(group.id()) +
                                 " (1 running, 1 queued, 2 in all) created at foo.cpp:10";
    EXPECT_EQ(third.awaiting().at(0), of_group);
    EXPECT_EQ(fourth.awaiting().at(0), "all of " + of_group);
    for (auto* one : {&first, &second, &third, &fourth}) weft::await(*one);
  });
}

// R-OBS-3
TEST(CompletionEventTest, PoolsAndFuturesSayWhatTheyAreFor) {
  weft::testing::run([] {
    weft::Pool<int> pool{{.max = 1, .create = [] { return 1; }}, made};
    auto lease = std::optional{pool.acquire()};
    auto user = weft::spawn([&] { const auto second = pool.acquire(); });
    weft::Promise<int> promise{made};
    auto reader = weft::spawn([future = promise.future()] { (void)future.await(); });
    weft::Channel<int> channel{0, {}, made};
    auto receiver = weft::spawn([future = channel.recv_async()] { (void)future.await(); });
    settle();
    EXPECT_EQ(pool.info(), "Pool(idle=0, active=1, reserved=0, max=1)");
    EXPECT_EQ(user.awaiting().at(0), "Pool #" + std::to_string(pool.id()) +
                                         " (max 1, 0 idle, 1 active, 1 waiting) created at "
                                         "foo.cpp:10");
    EXPECT_EQ(reader.awaiting().at(0), "Future created at foo.cpp:10");
    EXPECT_EQ(receiver.awaiting().at(0), channel.describe() + ", to receive");
    lease.reset();
    EXPECT_EQ(pool.info(), "Pool(idle=1, active=0, reserved=1, max=1)");
    promise.complete(1);
    channel.send(1);
    weft::await(user);
    EXPECT_EQ(pool.info(), "Pool(idle=1, active=0, reserved=0, max=1)");
  });
}

}  // namespace completion_event_test
