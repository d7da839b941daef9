#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Call;
using weft_test::Doorbell;
using weft_test::Log;

/// An object of a host language: it holds an EventRef, not the event itself.
struct HostObject {
  explicit HostObject(weft::Ref<weft::Event> target) : event{std::move(target)} {}
  weft::EventRef event;
};

/// An event that reports its destruction.
class Mortal final : public weft::Event {
 public:
  explicit Mortal(bool& gone) : gone_{&gone} {}
  ~Mortal() override { *gone_ = true; }
  void ring() noexcept { notify(); }

 private:
  bool* gone_;
};

std::int64_t milliseconds_since(weft::TimePoint start) {
  return std::chrono::floor<std::chrono::milliseconds>(weft::now() - start).count();
}

// R-REF-1
TEST(EventReference, HoldsAnEventThatTheHostObjectDoesNotContain) {
  const auto timer = weft::make_ref<weft::Timer>(10ms);
  {
    const HostObject host{timer};
    EXPECT_EQ(host.event.target(), timer.get());
    EXPECT_EQ(timer->references(), 2U);
  }
  EXPECT_EQ(timer->references(), 1U);
}

// R-REF-2, R-RC-3
TEST(EventReference, IsResolvedByGenericCode) {
  const auto bell = weft::make_ref<Doorbell>();
  weft::EventRef reference{bell};
  EXPECT_EQ(&weft::resolve(reference), bell.get());
  EXPECT_EQ(&weft::resolve(*bell), bell.get()) << "an event stands for itself";
}

// R-RC-3: "through any EventRef" includes several in a row.
TEST(EventReference, ThatRefersToAReferenceIsFollowedToTheEnd) {
  const auto bell = weft::make_ref<Doorbell>();
  const auto inner = weft::make_ref<weft::EventRef>(bell);
  weft::EventRef outer{inner};
  EXPECT_EQ(&weft::resolve(outer), bell.get());
}

// R-RC-3
TEST(EventReference, WithoutATargetCannotBeResolved) {
  weft::EventRef reference;
  EXPECT_THROW(static_cast<void>(weft::resolve(reference)), weft::MisuseError);
}

// R-RC-3: resolve() leads from a reference back to the object of the event.
TEST(EventReference, LeadsToTheObjectOfAnEvent) {
  weft::testing::run([] {
    const auto coroutine = weft::spawn([] { return 7; });
    const weft::EventRef reference{weft::Ref<weft::Event>{&static_cast<weft::Event&>(coroutine)}};
    auto* const base = dynamic_cast<weft::CoroutineBase*>(&weft::resolve(*reference.target()));
    ASSERT_NE(base, nullptr);
    EXPECT_EQ(weft::AnyCoroutine::holding(*base), coroutine);
    EXPECT_EQ(weft::AnyCoroutine::observing(*base), coroutine);
    EXPECT_EQ(weft::await(coroutine), 7);
  });
}

// R-RC-3
TEST(EventReference, LeadsToTheFutureOfAnEvent) {
  weft::testing::run([] {
    weft::Promise<int> promise;
    const weft::Future<int> future = promise.future();
    weft::EventRef reference{weft::Ref<weft::Event>{&static_cast<weft::Event&>(future)}};
    auto* const state = dynamic_cast<weft::FutureState<int>*>(&weft::resolve(reference));
    ASSERT_NE(state, nullptr);
    const weft::Future<int> again{weft::Ref<weft::FutureState<int>>{state}};
    EXPECT_EQ(again, future);
    promise.complete(7);
    EXPECT_EQ(weft::await(again), 7);
  });
}

// R-RC-3: every conversion of an object, and of a copy of it, gives the same event.
TEST(EventReference, AnObjectHasOneEvent) {
  const auto event_of = [](const auto& object) { return &static_cast<weft::Event&>(object); };
  weft::testing::run([&] {
    const auto coroutine = weft::spawn([] {});
    const auto same_coroutine = coroutine;
    EXPECT_EQ(event_of(coroutine), event_of(same_coroutine));
    weft::Promise<void> promise;
    const auto future = promise.future();
    const auto same_future = future;
    EXPECT_EQ(event_of(future), event_of(same_future));
    future.ignore();
    weft::Channel<int> channel;
    EXPECT_EQ(&static_cast<weft::Event&>(channel), &static_cast<weft::Event&>(channel));
    EXPECT_NE(&static_cast<weft::Event&>(channel), &channel.sendable());
    const weft::Ref<weft::Scope> scope = weft::Scope::inherit();
    EXPECT_EQ(&static_cast<weft::Event&>(*scope), &static_cast<weft::Event&>(*scope));
    weft::TaskGroup<int> group;
    EXPECT_EQ(event_of(group), event_of(group));
    const weft::Pool<int> pool{{.create = [] { return 1; }}};
    EXPECT_EQ(event_of(pool), event_of(pool));
  });
}

// R-REF-2
TEST(EventReference, AwaitingItIsAwaitingItsTarget) {
  std::int64_t waited = -1;
  weft::testing::run([&] {
    const auto start = weft::now();
    HostObject host{weft::make_ref<weft::Timer>(10ms)};
    weft::await(host.event);
    waited = milliseconds_since(start);
    EXPECT_TRUE(host.event.is_completed());
  });
  EXPECT_EQ(waited, 10);
}

// R-REF-2, R-WAK-7
TEST(EventReference, AWakerSubscribesToItsTarget) {
  weft::testing::run([] {
    const auto bell = weft::make_ref<Doorbell>();
    weft::EventRef reference{bell};
    auto waiter = weft::spawn([&] {
      weft::Waker& waker = weft::current().base().waker().renew();
      waker.resume_when(reference);
      weft::suspend(waker);
    });
    weft::testing::settle();
    EXPECT_EQ(bell->subscribers(), 1U);
    bell->ring();
    weft::await(waiter);
  });
}

// R-RC-4: the host object is destroyed during the wait.
TEST(EventReference, AWaitOutlivesTheHostObject) {
  std::int64_t waited = -1;
  weft::testing::run([&] {
    auto host = std::make_unique<HostObject>(weft::make_ref<weft::Timer>(10ms));
    auto waiter = weft::spawn([&] {
      const auto start = weft::now();
      weft::await(host->event);
      waited = milliseconds_since(start);
    });
    weft::testing::settle();
    host.reset();
    weft::await(waiter);
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
  EXPECT_EQ(waited, 10);
}

// R-RC-4: the event has fired and left the loop before the reference is used.
TEST(EventReference, OutlivesTheTimeOfItsEventInTheLoop) {
  weft::testing::run([] {
    HostObject host{weft::make_ref<weft::Timer>(10ms)};
    host.event.target()->start();
    weft::delay(20ms);
    EXPECT_TRUE(host.event.target()->is_closed());
    EXPECT_EQ(host.event.info().empty(), false);
    host.event.reset();
    EXPECT_EQ(host.event.target(), nullptr);
  });
}

// R-REF-3
TEST(EventReference, TheOwnerOfARunningTimerMayGoInACallback) {
  weft::testing::run([] {
    std::optional<HostObject> host;
    host.emplace(weft::make_ref<weft::Timer>(20ms));
    host->event.target()->start();
    weft::Timer sooner{10ms};
    Call collect{[&](weft::Event&, const weft::Outcome&) { host.reset(); }};
    sooner.add_callback(collect);
    sooner.start();
    EXPECT_EQ(weft::stats().active_events, 2U);
    weft::delay(100ms);
    EXPECT_FALSE(host.has_value());
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_EQ(weft::stats().armed_timers, 0U);
    sooner.remove_callback(collect);
  });
}

// R-REF-3: the owner of a timer is destroyed in the timer's own callback.
TEST(EventReference, TheOwnerOfARunningTimerMayGoInItsOwnCallback) {
  for (const auto kind : {weft::Timer::Kind::once, weft::Timer::Kind::periodic}) {
    int fired = 0;
    weft::testing::run([&] {
      std::optional<HostObject> host;
      host.emplace(weft::make_ref<weft::Timer>(10ms, kind));
      Call collect{[&](weft::Event& event, const weft::Outcome&) {
        ++fired;
        host.reset();
        event.remove_callback(collect);
      }};
      host->event.target()->add_callback(collect);
      host->event.target()->start();
      weft::delay(100ms);
      EXPECT_EQ(weft::stats().active_events, 0U);
      EXPECT_EQ(weft::stats().armed_timers, 0U);
    });
    EXPECT_EQ(fired, 1);
  }
}

// R-REF-4
TEST(EventReference, IsCompletedWithoutAnEvent) {
  const weft::EventRef never_had_one;
  EXPECT_TRUE(never_had_one.is_completed());

  bool gone = false;
  weft::EventRef reference{weft::make_ref<Mortal>(gone)};
  EXPECT_FALSE(reference.is_completed());
  reference.reset();
  EXPECT_TRUE(gone);
  EXPECT_TRUE(reference.is_completed());
  EXPECT_EQ(reference.target(), nullptr);
}

// R-REF-4
TEST(EventReference, IsCompletedWhenItsEventHasFired) {
  weft::testing::run([] {
    const weft::EventRef reference{weft::make_ref<weft::Timer>(10ms)};
    EXPECT_FALSE(reference.is_completed());
    reference.target()->start();
    EXPECT_FALSE(reference.is_completed());
    weft::delay(20ms);
    EXPECT_TRUE(reference.is_completed());
  });
}

}  // namespace
