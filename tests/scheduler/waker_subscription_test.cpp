#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/weft.hpp"

namespace waker_subscription_test {

using namespace std::chrono_literals;
using weft_test::Call;
using weft_test::Doorbell;
using weft_test::Log;

weft::Waker& my_waker() { return weft::current().base().waker(); }

/// How often a Counted event was started, stopped and destroyed.
struct Counts {
  int starts = 0;
  int stops = 0;
  int destroyed = 0;
};
class Counted final : public weft::Event {
 public:
  explicit Counted(Counts& counts) : counts_{&counts} {}
  ~Counted() override { ++counts_->destroyed; }
  bool start() override {
    ++counts_->starts;
    return Event::start();
  }
  bool stop() noexcept override {
    ++counts_->stops;
    return Event::stop();
  }
  void ring() noexcept { notify(); }

 private:
  Counts* counts_;
};

/// A subscription that wakes its coroutine at every second ring only.
class EverySecond final : public weft::Subscription {
 public:
  explicit EverySecond(Log& log) : log_{&log} {}
  void on_notify(weft::Event& event, const weft::Outcome& outcome) noexcept override {
    EXPECT_EQ(this->event(), &event);
    log_->push_back("ring for coroutine " + std::to_string(coroutine()->id()));
    if (++rings_ % 2 == 0) wake(outcome);
  }

 private:
  Log* log_;
  int rings_ = 0;
};

// R-WAK-7, R-CB-3
TEST(WakerSubscription, TakesACallbackOfOnesOwn) {
  Log log;
  std::uint64_t id = 0;
  weft::testing::run([&] {
    Doorbell bell;
    auto coroutine = weft::spawn([&] {
      const auto callback = weft::make_ref<EverySecond>(log);
      weft::Waker& waker = my_waker().renew();
      waker.resume_when(bell, callback);
      EXPECT_EQ(callback->coroutine(), &weft::current().base());
      weft::suspend(waker);
      log.push_back("woken");
    });
    id = coroutine.id();
    weft::testing::settle();
    bell.ring();
    weft::testing::settle();
    EXPECT_EQ(log.size(), 1U) << "the first ring was not let through";
    bell.ring();
    weft::await(coroutine);
  });
  const std::string ring = "ring for coroutine " + std::to_string(id);
  EXPECT_EQ(log, (Log{ring, ring, "woken"}));
}

// R-WAK-7
TEST(WakerSubscription, MayTakeTheEventOver) {
  Counts counts;
  weft::testing::run([&] {
    Counted* bell = nullptr;
    auto coroutine = weft::spawn([&] {
      weft::Waker& waker = my_waker().renew();
      auto owned = weft::make_ref<Counted>(counts);
      bell = owned.get();
      waker.resume_when(weft::Ref<weft::Event>{std::move(owned)});
      weft::suspend(waker);
      waker.renew();
      EXPECT_EQ(counts.destroyed, 1);
    });
    weft::testing::settle();
    EXPECT_EQ(counts.destroyed, 0) << "only the waker holds it";
    bell->ring();
    weft::await(coroutine);
  });
  EXPECT_EQ(counts.destroyed, 1);
}

// R-WAK-7: a cancelled wait releases the event that it owns.
TEST(WakerSubscription, LetsGoOfAnEventItTookOverWhenTheWaitIsCancelled) {
  Counts counts;
  weft::testing::run([&] {
    auto coroutine = weft::spawn([&] {
      weft::Waker& waker = my_waker().renew();
      waker.resume_when(weft::Ref<weft::Event>{weft::make_ref<Counted>(counts)});
      weft::suspend(waker);
    });
    weft::testing::settle();
    coroutine.cancel();
    EXPECT_THROW(weft::await(coroutine), weft::Cancelled);
    EXPECT_EQ(counts.destroyed, 1);
  });
}

// R-WAK-9
TEST(WakerSubscription, WaitsForManyEventsAtOnce) {
  weft::testing::run([] {
    constexpr std::size_t count = 50;
    std::vector<weft::Ref<Doorbell>> bells;
    for (std::size_t i = 0; i < count; ++i) bells.push_back(weft::make_ref<Doorbell>());
    for (const std::size_t which : {std::size_t{0}, std::size_t{1}, std::size_t{2}, count - 1}) {
      auto ringer = weft::spawn([&] { bells[which]->ring(); });
      weft::Waker& waker = my_waker().renew();
      for (const auto& bell : bells) waker.resume_when(*bell);
      EXPECT_EQ(waker.size(), count);
      weft::suspend(waker);
      EXPECT_EQ(waker.triggered(), static_cast<int>(which));
      for (const auto& bell : bells) EXPECT_EQ(bell->subscribers(), 0U);
      weft::await(ringer);
    }
    my_waker().renew();
    for (const auto& bell : bells) EXPECT_EQ(bell->references(), 1U);
  });
}

// R-WAK-9
TEST(WakerSubscription, OneEventMayCarrySeveralCallbacksOfAWakerAndIsReferencedAndStartedOnce) {
  Counts counts;
  weft::testing::run([&] {
    auto event = weft::make_ref<Counted>(counts);
    auto coroutine = weft::spawn([&] {
      weft::Waker& waker = my_waker().renew();
      waker.resume_when(weft::Ref<weft::Event>{event});
      waker.resume_when(weft::Ref<weft::Event>{event}, weft::Wake::cancel);
      waker.resume_when(weft::Ref<weft::Event>{event}, weft::Wake::timeout);
      EXPECT_EQ(event->references(), 2U) << "this reference, and one of the waker";
      weft::suspend(waker);
      EXPECT_EQ(waker.triggered(), 0) << "the first outcome counts";
      waker.renew();
    });
    weft::testing::settle();
    EXPECT_EQ(event->subscribers(), 3U);
    EXPECT_EQ(counts.starts, 1);
    event->ring();
    EXPECT_EQ(counts.stops, 1);
    weft::await(coroutine);
    EXPECT_EQ(event->subscribers(), 0U);
    EXPECT_EQ(event->references(), 1U);
    EXPECT_EQ(counts.stops, 1);
  });
}

// R-WAK-10, R-SUS-1
TEST(WakerSubscription, PreparedEventsAreInertUntilTheSuspension) {
  Counts first;
  Counts second;
  weft::testing::run([&] {
    Counted one{first};
    Counted two{second};
    weft::Timer timer{1h};
    auto coroutine = weft::spawn([&] {
      weft::Waker& waker = my_waker().renew();
      waker.resume_when(one);
      waker.resume_when(two);
      waker.resume_when(timer);
      EXPECT_EQ(first.starts + second.starts, 0);
      EXPECT_FALSE(timer.is_armed());
      EXPECT_EQ(weft::stats().active_events, 0U);
      weft::suspend(waker);
    });
    weft::testing::settle();
    EXPECT_EQ(first.starts, 1);
    EXPECT_EQ(second.starts, 1);
    EXPECT_TRUE(timer.is_armed());
    two.ring();
    weft::await(coroutine);
  });
}

// R-WAK-11, trap 15
TEST(WakerSubscription, AllEventsAreStoppedOnceAsSoonAsTheCoroutineIsQueued) {
  Counts first;
  Counts second;
  weft::testing::run([&] {
    Counted one{first};
    Counted two{second};
    auto coroutine = weft::spawn([&] {
      weft::Waker& waker = my_waker().renew();
      waker.resume_when(one);
      waker.resume_when(two);
      weft::suspend(waker);
      EXPECT_EQ(one.subscribers(), 0U) << "removed before it runs again";
      EXPECT_EQ(two.subscribers(), 0U);
      waker.renew();
    });
    weft::testing::settle();
    two.ring();
    EXPECT_EQ(first.stops, 1);
    EXPECT_EQ(second.stops, 1);
    one.ring();
    weft::await(coroutine);
  });
  EXPECT_EQ(first.starts, 1);
  EXPECT_EQ(first.stops, 1);
  EXPECT_EQ(second.starts, 1);
  EXPECT_EQ(second.stops, 1);
}

// R-WAK-11, R-CAN-5
TEST(WakerSubscription, AllEventsAreStoppedOnceByACancellation) {
  Counts counts;
  weft::testing::run([&] {
    Counted event{counts};
    auto coroutine = weft::spawn([&] { weft::await(event); });
    weft::testing::settle();
    coroutine.cancel();
    EXPECT_EQ(counts.stops, 1);
    EXPECT_THROW(weft::await(coroutine), weft::Cancelled);
    EXPECT_EQ(event.subscribers(), 0U);
  });
  EXPECT_EQ(counts.starts, 1);
  EXPECT_EQ(counts.stops, 1);
}

}  // namespace waker_subscription_test
