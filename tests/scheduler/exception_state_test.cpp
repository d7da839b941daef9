#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::error_of;
using weft_test::Log;
using weft_test::text;

// R-EXC-10
TEST(ExceptionState, ThrowsAgainItsOwnAfterASuspensionInACatchBlock) {
  weft::testing::run([] {
    std::vector<weft::Coroutine<void>> all;
    for (int i = 0; i < 10; ++i) {
      all.push_back(weft::spawn([i] {
        try {
          throw std::runtime_error{"error " + std::to_string(i)};
        } catch (...) {
          // The handlers are left in another order than entered: a shared stack of caught
          // exceptions would be corrupted.
          weft::delay(std::chrono::milliseconds{(i * 7) % 10});
          throw;
        }
      }));
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(text(error_of([&] { weft::await(all[i]); })), "error " + std::to_string(i));
    }
  });
}

// R-EXC-10
TEST(ExceptionState, KeepsTheCurrentExceptionPerCoroutine) {
  Log log;
  weft::testing::run([&] {
    auto one = weft::spawn([&] {
      try {
        throw std::runtime_error{"one"};
      } catch (...) {
        weft::suspend();
        log.push_back("one sees " + text(std::current_exception()));
        weft::suspend();
        log.push_back("one sees " + text(std::current_exception()));
      }
      log.push_back("one sees " + text(std::current_exception()));
    });
    auto two = weft::spawn([&] {
      log.push_back("two sees " + text(std::current_exception()));
      weft::suspend();
      try {
        throw std::runtime_error{"two"};
      } catch (...) {
        weft::suspend();
        log.push_back("two sees " + text(std::current_exception()));
      }
    });
    weft::await(one);
    weft::await(two);
    log.push_back("main sees " + text(std::current_exception()));
  });
  EXPECT_EQ(log, (Log{"two sees nothing", "one sees one", "one sees one", "one sees nothing",
                      "two sees two", "main sees nothing"}));
}

// R-EXC-10
TEST(ExceptionState, OfTheMainCoroutineIsItsOwnToo) {
  Log log;
  weft::testing::run([&] {
    try {
      throw std::runtime_error{"main"};
    } catch (...) {
      auto other = weft::spawn([&] {
        log.push_back("other sees " + text(std::current_exception()));
        const std::exception_ptr error = error_of([] {
          try {
            throw std::runtime_error{"other"};
          } catch (...) {
            weft::delay(1ms);
            throw;
          }
        });
        log.push_back("other caught " + text(error));
      });
      weft::await(other);
      log.push_back("main sees " + text(std::current_exception()));
    }
    log.push_back("main sees " + text(std::current_exception()));
  });
  EXPECT_EQ(log, (Log{"other sees nothing", "other caught other", "main sees main",
                      "main sees nothing"}));
}

// R-EXC-10
TEST(ExceptionState, KeepsNestedCatchBlocksInOrder) {
  Log log;
  weft::testing::run([&] {
    std::vector<weft::Coroutine<void>> all;
    for (int i = 0; i < 3; ++i) {
      all.push_back(weft::spawn([&log, i] {
        const std::string name = std::to_string(i);
        try {
          throw std::runtime_error{"outer " + name};
        } catch (...) {
          weft::suspend();
          try {
            throw std::runtime_error{"inner " + name};
          } catch (...) {
            weft::suspend();
            log.push_back(text(std::current_exception()));
          }
          weft::suspend();
          log.push_back(text(std::current_exception()));
        }
      }));
    }
    for (const auto& one : all) weft::await(one);
  });
  EXPECT_EQ(log, (Log{"inner 0", "inner 1", "inner 2", "outer 0", "outer 1", "outer 2"}));
}

struct Witness {
  Log& log;
  std::string name;
  Witness(Log& given, std::string own) : log{given}, name{std::move(own)} {}
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;
  ~Witness() {
    note();
    weft::suspend();
    note();
  }
  void note() const { log.push_back(name + " " + std::to_string(std::uncaught_exceptions())); }
};

// R-EXC-10, trap 11
TEST(ExceptionState, CountsUncaughtExceptionsPerCoroutine) {
  Log log;
  weft::testing::run([&] {
    auto unwinding = weft::spawn([&] {
      try {
        const Witness witness{log, "unwinding"};
        throw std::runtime_error{"flying"};
      } catch (const std::runtime_error& error) {
        log.emplace_back(error.what());
      }
    });
    auto calm = weft::spawn([&] { const Witness witness{log, "calm"}; });
    weft::await(unwinding);
    weft::await(calm);
  });
  EXPECT_EQ(log, (Log{"unwinding 1", "calm 0", "unwinding 1", "flying", "calm 0"}));
}

// R-EXC-10
TEST(ExceptionState, IsFreshInAContextThatWasUsedBefore) {
  weft::testing::run([] {
    for (int i = 0; i < 3; ++i) {
      // `next` inherits this context, or takes it from the pool.
      auto failing = weft::spawn([] { throw std::runtime_error{"first tenant"}; });
      auto next = weft::spawn([] {
        EXPECT_EQ(std::current_exception(), nullptr);
        EXPECT_EQ(std::uncaught_exceptions(), 0);
      });
      weft::await(next);
      EXPECT_EQ(text(error_of([&] { weft::await(failing); })), "first tenant");
    }
  });
}

// R-EXC-10
TEST(ExceptionState, SurvivesACancellationDeliveredInACatchBlock) {
  Log log;
  weft::testing::run([&] {
    auto worker = weft::spawn([&] {
      try {
        throw std::runtime_error{"mine"};
      } catch (const std::runtime_error&) {
        log.push_back(text(error_of([] { weft::delay(1h); })));
        log.push_back(text(std::current_exception()));
        throw;
      }
    });
    weft::suspend();
    worker.cancel("in between");
    log.push_back(text(error_of([&] { weft::await(worker); })));
  });
  EXPECT_EQ(log, (Log{"cancelled: in between", "mine", "mine"}));
}

// R-EXC-10
TEST(ExceptionState, IsThatOfTheOutsideAfterRun) {
  try {
    throw std::runtime_error{"outside"};
  } catch (...) {
    weft::testing::run([] { weft::await(weft::spawn([] { weft::suspend(); })); });
    EXPECT_EQ(text(std::current_exception()), "outside");
  }
  EXPECT_EQ(std::current_exception(), nullptr);
}

}  // namespace
