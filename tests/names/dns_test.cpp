#include "weft/dns.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "held_lookups.hpp"
#include "support.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using weft::Address;
using weft_test::HeldLookups;

// R-DNS-1
TEST(Dns, ResolvesNames) {
  weft::testing::run([] {
    EXPECT_THAT(weft::resolve("localhost", "http"),
                ::testing::Contains(Address::parse("127.0.0.1", 80)));
    EXPECT_THAT(weft::resolve("localhost"), ::testing::Contains(Address::parse("127.0.0.1", 0)));
  });
}

// R-DNS-1
TEST(Dns, ResolvesAddresses) {
  weft::testing::run([] {
    const weft::ResolvedName name = weft::resolve_name(Address::parse("127.0.0.1", 80));
    EXPECT_EQ(name.host, "localhost");
    EXPECT_EQ(name.service, "http");
    EXPECT_EQ(weft::resolve_name(Address::parse("127.0.0.1", 9'999)).service, "9999");
  });
}

TEST(Dns, AddressesInDigitsNeedNoWorkerAndNoSuspension) {
  weft::testing::run([] {
    const auto before = weft::stats().switches;
    auto other = weft::spawn([] {});
    EXPECT_EQ(weft::resolve("127.0.0.1", "80"),
              (std::vector<Address>{Address::parse("127.0.0.1", 80)}));
    EXPECT_EQ(weft::resolve("::1"), (std::vector<Address>{Address::parse("::1", 0)}));
    EXPECT_EQ(weft::stats().switches, before);
    weft::await(other);
  });
}

TEST(Dns, APortThatIsNoneIsAnError) {
  weft::testing::run([] {
    EXPECT_THROW(static_cast<void>(weft::resolve("127.0.0.1", "x1")), weft::DnsError);
    EXPECT_THROW(static_cast<void>(weft::resolve("127.0.0.1", "-1")), weft::DnsError);
  });
}

TEST(Dns, OthersRunMeanwhile) {
  HeldLookups held;
  weft::run([&] {
    auto lookup = weft::spawn([] { return weft::resolve("a.held"); });
    auto other = weft::spawn([&] {
      weft::delay(1ms);
      held.wait_until_taken(1);
      held.release();
    });
    EXPECT_FALSE(weft::await(lookup).empty());
    weft::await(other);
  });
}

// R-DNS-5, trap 16
TEST(Dns, ACancelledLookupReturnsAtOnceAndItsWorkerFinishesAlone) {
  HeldLookups held;
  weft::run([&] {
    auto forward = weft::spawn([] { static_cast<void>(weft::resolve("a.held")); });
    auto reverse = weft::spawn(
        [] { static_cast<void>(weft::resolve_name(Address::parse("127.0.0.99", 80))); });
    weft::suspend();
    held.wait_until_taken(2);
    forward.cancel();
    reverse.cancel();
    EXPECT_THROW(weft::await(forward), weft::Cancelled);
    EXPECT_THROW(weft::await(reverse), weft::Cancelled);
    EXPECT_EQ(held.taken(), 2U);
    EXPECT_EQ(weft::stats().active_events, 0U);
    held.release();
    held.wait_until_gone();  // the answers arrive while the loop runs on
    weft::delay(1ms);
    EXPECT_FALSE(weft::resolve("localhost").empty());
  });
}

// R-DNS-5, trap 16: hung lookups block half of libuv's threads, and no coroutine.
TEST(Dns, HungLookupsDoNotStopWhatElseIsLookedUpAfterTheyWereCancelled) {
  HeldLookups held;
  weft::run([&] {
    std::vector<weft::Coroutine<void>> hung;
    hung.reserve(10);
    for (int i = 0; i < 10; ++i) {
      hung.push_back(weft::spawn([] { static_cast<void>(weft::resolve("a.held")); }));
    }
    weft::suspend();
    held.wait_until_taken(2);
    for (auto& coroutine : hung) coroutine.cancel();
    for (auto& coroutine : hung) EXPECT_THROW(weft::await(coroutine), weft::Cancelled);
    held.release();
    EXPECT_FALSE(weft::resolve("localhost").empty());
  });
  EXPECT_EQ(held.taken(), 2U) << "the other lookups were removed from the queue";
}

TEST(Dns, ATimeoutThrowsTimedOutItself) {
  HeldLookups held;
  weft::run([&] {
    EXPECT_THROW(static_cast<void>(weft::resolve("a.held", "", weft::timeout(1ms))),
                 weft::TimedOut);
    EXPECT_THROW(
        static_cast<void>(weft::resolve_name(Address::parse("127.0.0.99", 0), weft::timeout(1ms))),
        weft::TimedOut);
    held.release();
  });
}

TEST(Dns, AnotherTokenThrowsOperationCancelled) {
  HeldLookups held;
  weft::run([&] {
    weft::Promise<void> stop;
    auto lookup = weft::spawn([&] {
      try {
        static_cast<void>(weft::resolve("a.held", "", stop.future()));
        ADD_FAILURE() << "not cancelled";
      } catch (const weft::TimedOut&) {
        ADD_FAILURE() << "no timeout";
      } catch (const weft::OperationCancelled&) {
      }
    });
    weft::suspend();
    stop.complete();
    weft::await(lookup);
    held.release();
  });
}

// R-DNS-5
TEST(DnsExploration, SurvivesACancellationAtEverySuspension) {
  const auto report = weft::testing::explore(
      [] {
        auto first = weft::spawn([] { static_cast<void>(weft::resolve("localhost", "80")); });
        auto second = weft::spawn(
            [] { static_cast<void>(weft::resolve_name(Address::parse("127.0.0.1", 80))); });
        for (auto& coroutine : {first, second}) {
          try {
            weft::await(coroutine);
          } catch (const weft::Cancelled&) {
          }
        }
      },
      {.schedules = weft::testing::fifo, .cancel = weft::testing::every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_GE(report.schedules(), 5U);
}

}  // namespace
