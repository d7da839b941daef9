#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Combinators on sources whose iteration may suspend, spawn or throw.
namespace combinator_source_test {

using weft::Coroutine;
using weft::Future;
using weft::Promise;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::text;
using namespace std::chrono_literals;

/// A range that can be iterated once: `next` returns elements until it returns nothing.
template <class H>
class Source {
 public:
  using Next = std::function<std::optional<H>()>;
  explicit Source(Next next) : next_{std::move(next)} {}

  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = H;
    explicit Iterator(Source* source = nullptr) : source_{source} {}
    const H& operator*() const { return *source_->element_; }
    Iterator& operator++() {
      source_->element_ = source_->next_();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& a, const Iterator& b) {
      return a.is_at_end() == b.is_at_end();
    }

   private:
    [[nodiscard]] bool is_at_end() const { return source_ == nullptr || !source_->element_; }
    Source* source_;
  };
  Iterator begin() { return ++Iterator{this}; }
  Iterator end() { return Iterator{}; }

 private:
  friend class Iterator;
  Next next_;
  std::optional<H> element_;
};

static_assert(weft::detail::AwaitRange<Source<Coroutine<int>>>);
static_assert(!weft::detail::is_container<Source<Coroutine<int>>>);
static_assert(weft::detail::is_container<std::vector<Coroutine<int>>>);

/// Spawns `count` members, with a pause before each.
Source<Coroutine<int>> pausing(int count, weft::Duration pause = 1ms) {
  return Source<Coroutine<int>>{[=, i = 0]() mutable -> std::optional<Coroutine<int>> {
    if (i == count) return std::nullopt;
    weft::delay(pause);
    ++i;
    return weft::spawn([i] {
      weft::delay(100us);
      return i;
    });
  }};
}

// R-AWT-7
TEST(CombinatorSourceTest, MaySuspendAndSpawn) {
  weft::testing::run([] {
    EXPECT_EQ(weft::await_all(pausing(3)), (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(weft::await_settled(pausing(3)).size(), 3U);
    EXPECT_EQ(weft::await_any_of(2, pausing(5)), (std::vector<int>{1, 2}));
    EXPECT_EQ(weft::await_all(pausing(0)), std::vector<int>{});
    EXPECT_TRUE(is<weft::ValueError>(error_of([] { weft::await_any(pausing(0)); })));
  });
}

// R-AWT-7
TEST(CombinatorSourceTest, IsReadByACoroutineOfItsOwn) {
  weft::testing::run([] {
    const auto me = weft::current().id();
    bool apart = true;
    Source<Future<int>> source{[&, i = 0]() mutable -> std::optional<Future<int>> {
      apart = apart && weft::current().id() != me;
      return i++ == 2 ? std::nullopt : std::optional{Future<int>::completed(i)};
    }};
    EXPECT_EQ(weft::await_all(source), (std::vector<int>{1, 2}));
    EXPECT_TRUE(apart);
  });
}

// A combinator returns as soon as its condition is met, and stops reading the source.
// R-AWT-7, R-AWT-9
TEST(CombinatorSourceTest, IsLeftWhenTheConditionIsMet) {
  weft::testing::run([] {
    const auto start = weft::now();
    EXPECT_EQ(weft::await_any(pausing(1'000, 1h)), 1);
    EXPECT_LT(weft::now() - start, 1h + 1min);
    EXPECT_EQ(weft::stats().coroutines, 1U);  // no coroutine reads the source any more
  });
}

// R-AWT-7
TEST(CombinatorSourceTest, ThrowsItsErrorToTheCallerAtOnce) {
  weft::testing::run([] {
    auto slow = weft::spawn([] {
      weft::delay(1h);
      return 1;
    });
    const auto start = weft::now();
    Source<Coroutine<int>> source{[&, i = 0]() mutable -> std::optional<Coroutine<int>> {
      if (i++ == 0) return slow;
      weft::delay(1ms);
      throw std::runtime_error{"source broke"};
    }};
    EXPECT_EQ(text(error_of([&] { weft::await_settled(source); })), "source broke");
    EXPECT_LT(weft::now() - start, 1s);
    EXPECT_FALSE(slow.is_completed());
    slow.cancel();
  });
}

// R-AWT-6
TEST(CombinatorSourceTest, AwaitsDuplicatesOnce) {
  weft::testing::run([] {
    auto one = Future<int>::completed(1);
    auto two = Future<int>::completed(2);
    const std::vector<Future<int>> given{one, two, one, one, two};
    Source<Future<int>> source{[&, i = std::size_t{0}]() mutable -> std::optional<Future<int>> {
      return i == given.size() ? std::nullopt : std::optional{given[i++]};
    }};
    EXPECT_EQ(weft::await_all(source), (std::vector<int>{1, 2}));
  });
}

// R-AWT-7, R-AWT-10
TEST(CombinatorSourceTest, EndsWithTheToken) {
  weft::testing::run([] {
    EXPECT_TRUE(is<weft::OperationCancelled>(
        error_of([] { weft::await_all(pausing(10, 1h), weft::timeout(1ms)); })));
    EXPECT_EQ(weft::stats().coroutines, 1U);
    auto fired = Future<void>::completed();
    EXPECT_TRUE(
        is<weft::OperationCancelled>(error_of([&] { weft::await_all(pausing(10, 1h), fired); })));
  });
}

// The caller's frame owns the source: the reader must end before that frame.
// R-AWT-7
TEST(CombinatorSourceTest, IsNoLongerReadWhenTheCallerIsGone) {
  Log log;
  weft::testing::run([&] {
    auto caller = weft::spawn([&] {
      struct Noting {
        Log& log;
        ~Noting() { log.emplace_back("source gone"); }
      } const noting{log};
      Source<Coroutine<int>> source{[&]() -> std::optional<Coroutine<int>> {
        try {
          weft::delay(1h);
        } catch (const weft::Cancelled&) {
          weft::protect([] { weft::delay(1ms); });  // a slow clean-up
          log.emplace_back("reader gone");
          throw;
        }
        return std::nullopt;
      }};
      weft::await_all(source);
    });
    weft::testing::settle();
    caller.cancel();
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(caller); })));
  });
  EXPECT_EQ(log, (Log{"reader gone", "source gone"}));
}

// Waiting for the reader defers a cancellation and does not lose it.
// R-AWT-7
TEST(CombinatorSourceTest, KeepsACancellationThatArrivesWhileItEnds) {
  Log log;
  weft::testing::run([&] {
    auto caller = weft::spawn([&] {
      Source<Coroutine<int>> source{[i = 0]() mutable -> std::optional<Coroutine<int>> {
        if (i++ == 0) return weft::spawn([] { return 7; });
        try {
          weft::delay(1h);
        } catch (const weft::Cancelled&) {
          const weft::detail::Protection takes_its_time;
          try {
            weft::delay(50ms);
          } catch (const weft::Cancelled&) {
          }
          weft::delay(50ms);
          throw;
        }
        return std::nullopt;
      }};
      log.push_back("first: " + std::to_string(weft::await_any(source)));
      weft::delay(1h);
      log.emplace_back("never");
    });
    weft::delay(20ms);
    weft::shutdown();  // a protect() would not defer this
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(caller); })));
  });
  EXPECT_EQ(log, (Log{"first: 7"}));
}

// R-AWT-7: the clean-up of a cancelled scope may wait for a source too.
TEST(CombinatorSource, IsReadInAChildScopeAlsoWhereTheScopeIsCancelled) {
  weft::testing::run([] {
    const weft::Ref<weft::Scope> scope = weft::Scope::create();
    std::size_t values = 0;
    scope->spawn([&] {
      try {
        weft::delay(1h);
      } catch (const weft::Cancelled&) {
        weft::Promise<int> promise;
        promise.complete(1);
        weft::Channel<Future<int>> source{1};
        source.send(promise.future());
        source.close();
        values = weft::await_all(source).size();
        throw;
      }
    });
    weft::suspend();
    scope->cancel();
    scope->await_after_cancellation();
    EXPECT_EQ(values, 1U);
  });
}

}  // namespace combinator_source_test
