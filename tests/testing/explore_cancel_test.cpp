#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/extend/embed.hpp"

// Which coroutines the explorer cancels, and at which suspensions.
namespace {

using namespace std::chrono_literals;
using weft::testing::every_point;
using weft::testing::explore;
using weft::testing::ExploreOptions;
using weft::testing::Report;

/// Which coroutine was cancelled at which suspension of a run; {0, ""} if none was.
using Point = std::pair<std::uint64_t, std::string>;

/// Finds out, at every tick, that is right after every suspension, which coroutine was cancelled.
class Watch {
 public:
  Watch() : watched_{weft::current()} {
    weft::set_heartbeat([this] { check(); });
  }
  ~Watch() { weft::set_heartbeat({}); }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  void add(const weft::AnyCoroutine& coroutine) { watched_.push_back(coroutine); }
  [[nodiscard]] const Point& point() const { return point_; }

 private:
  void check() {
    for (const weft::AnyCoroutine& one : watched_) {
      if (point_.first != 0 || !one.is_cancellation_requested()) continue;
      point_ = {weft::stats().suspensions, std::string{one.name()}};
    }
  }
  std::vector<weft::AnyCoroutine> watched_;
  Point point_;
};

/// Two workers with a yield and a delay each. They and main swallow a cancellation, so that every
/// run has the same number of suspensions.
void five_suspensions(std::map<Point, int>& points) {
  const auto swallow = [](auto suspend) {
    try {
      suspend();
    } catch (const weft::Cancelled&) {
    }
  };
  Watch watch;
  for (const char* name : {"a", "b"}) {
    watch.add(weft::spawn({.name = name}, [swallow] {
      swallow([] { weft::suspend(); });
      swallow([] { weft::delay(1ms); });
    }));
  }
  swallow([] { weft::delay(5ms); });
  ++points[watch.point()];
}

std::map<Point, int> points_of(ExploreOptions options) {
  std::map<Point, int> points;
  options.cancel = every_point;
  options.in_child = false;
  const Report report = explore([&] { five_suspensions(points); }, options);
  EXPECT_TRUE(report.ok()) << report.first_failure();
  return points;
}

/// Five suspensions: main suspends once, then each worker twice. All three are alive at each.
std::set<Point> all_points() {
  std::set<Point> all{{0, ""}};
  for (std::uint64_t suspension = 1; suspension <= 5; ++suspension) {
    for (const char* victim : {"main", "a", "b"}) all.insert({suspension, victim});
  }
  return all;
}

std::set<Point> keys_of(const std::map<Point, int>& points) {
  std::set<Point> keys;
  for (const auto& [point, times] : points) keys.insert(point);
  return keys;
}

TEST(ExploreCancel, HitsEveryVictimAtEverySuspension) {
  const std::map<Point, int> points = points_of({.schedules = weft::testing::fifo});
  EXPECT_EQ(keys_of(points), all_points());
  for (const auto& [point, times] : points) {
    EXPECT_EQ(times, 1) << point.second << " at " << point.first;
  }
}

TEST(ExploreCancel, HitsThemInEveryOrder) {
  const std::map<Point, int> points = points_of({});
  std::set<Point> missing = all_points();
  for (const auto& [point, times] : points) missing.erase(point);
  EXPECT_THAT(missing, ::testing::IsEmpty());
  EXPECT_GT(points.at({0, ""}), 1);
}

TEST(ExploreCancel, HitsThemAllAtRandomInTime) {
  std::set<Point> missing = all_points();
  missing.erase({0, ""});  // a random run always cancels a coroutine
  for (const auto& [point, times] : points_of({.schedules = weft::testing::random(2'000)})) {
    missing.erase(point);
  }
  EXPECT_THAT(missing, ::testing::IsEmpty());
}

TEST(ExploreCancel, HitsACoroutineThatHasNotStarted) {
  int never_ran = 0;
  const auto body = [&] {
    auto ran = std::make_shared<bool>(false);  // outlives this frame if main is cancelled
    weft::spawn([ran] { *ran = true; });
    weft::suspend();
    weft::delay(1ms);
    if (!*ran) ++never_ran;
  };
  EXPECT_TRUE(explore(body, {.cancel = every_point, .in_child = false}).ok());
  EXPECT_GT(never_ran, 0);
}

TEST(ExploreCancel, HappensOnceARun) {
  int most = 0;
  const auto body = [&] {
    int cancellations = 0;
    for (int i = 0; i < 4; ++i) {
      try {
        weft::suspend();
      } catch (const weft::Cancelled&) {
        ++cancellations;
      }
    }
    most = std::max(most, cancellations);
  };
  const Report report = explore(body, {.cancel = every_point, .in_child = false});
  EXPECT_EQ(report.schedules(), 5U);  // at each of four suspensions, and not at all
  EXPECT_EQ(most, 1);
}

/// Ends as soon as main is cancelled.
void twenty_suspensions(std::map<std::uint64_t, int>& hits) {
  for (std::uint64_t i = 1; i <= 20; ++i) {
    try {
      weft::suspend();
    } catch (const weft::Cancelled&) {
      ++hits[i];
      throw;
    }
  }
}

TEST(ExploreCancel, TakesTheSuspensionEvenlyAtRandom) {
  std::map<std::uint64_t, int> hits;
  EXPECT_TRUE(
      explore([&] { twenty_suspensions(hits); },
              {.schedules = weft::testing::random(4'000), .cancel = every_point, .in_child = false})
          .ok());
  EXPECT_GT(hits[20], 100);  // 200 are expected
}

}  // namespace
