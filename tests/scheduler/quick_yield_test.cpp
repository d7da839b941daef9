#include <cfenv>
#ifdef __x86_64__
#include <xmmintrin.h>
#endif

#include <gtest/gtest.h>

#include "context/context.hpp"
#include "support.hpp"

// A yield outside an exploration may take the fast path. A cancellation or an error that arrives
// between the yield and its return must be seen on the fast path, too.
namespace {

using weft_test::Log;

// R-CAN-1
TEST(QuickYieldTest, ThrowsTheCancellationThatCameMeanwhile) {
  bool thrown = false;
  bool unwound = false;
  weft::run([&] {
    struct Watch {
      bool& unwound;
      ~Watch() { unwound = true; }
    };
    auto victim = weft::spawn([&] {
      const Watch watch{unwound};
      try {
        for (;;) weft::suspend();
      } catch (const weft::Cancelled&) {
        thrown = true;
        throw;
      }
    });
    for (int i = 0; i < 3; ++i) weft::suspend();
    victim.cancel();
    for (int i = 0; i < 3; ++i) weft::suspend();
    EXPECT_TRUE(victim.is_completed());
  });
  EXPECT_TRUE(thrown);
  EXPECT_TRUE(unwound);
}

// R-SWH-1
TEST(QuickYieldTest, RunsTheHandlerThatCameMeanwhile) {
  Log log;
  weft::run([&] {
    auto watched = weft::spawn([&] {
      weft::suspend();
      log.push_back("goes on");
    });
    weft::suspend();
    watched.add_switch_handler([&](const weft::AnyCoroutine&, weft::Switch what) {
      if (what == weft::Switch::enter) log.push_back("enter");
      return true;
    });
    weft::suspend();
  });
  EXPECT_EQ(log, (Log{"enter", "goes on"}));
}

// R-SUS-9
TEST(QuickYieldTest, PassesOverACoroutineCancelledBeforeItsStart) {
  Log log;
  weft::run([&] {
    auto dropped = weft::spawn([&] { log.push_back("dropped"); });
    weft::spawn([&] { log.push_back("next"); });
    dropped.cancel();
    weft::suspend();
    log.push_back("main");
    EXPECT_TRUE(dropped.is_completed());
  });
  EXPECT_EQ(log, (Log{"next", "main"}));
}

TEST(QuickYieldTest, KeepsTheRoundingOfEachCoroutine) {
  std::vector<int> seen;
  weft::run([&] {
    for (const int mode : {FE_UPWARD, FE_TONEAREST, FE_DOWNWARD}) {
      weft::spawn([&seen, mode] {
        std::fesetround(mode);
        for (int i = 0; i < 3; ++i) {
          weft::suspend();
          seen.push_back(std::fegetround());
        }
      });
    }
    for (int i = 0; i < 5; ++i) {
      weft::suspend();
      EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    }
  });
  const std::vector<int> round{FE_UPWARD, FE_TONEAREST, FE_DOWNWARD};
  ASSERT_EQ(seen.size(), 9U);
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], round[i % 3]);
}

TEST(QuickYieldTest, KeepsTheFloatingPointExceptionsOfEachCoroutine) {
  std::vector<int> seen;
  weft::run([&] {
    for (const int traps : {FE_DIVBYZERO, 0, FE_OVERFLOW}) {
      weft::spawn([&seen, traps] {
        feenableexcept(traps);
        for (int i = 0; i < 3; ++i) {
          weft::suspend();
          seen.push_back(fegetexcept());
        }
      });
    }
    for (int i = 0; i < 5; ++i) {
      weft::suspend();
      EXPECT_EQ(fegetexcept(), 0);
    }
  });
  const std::vector<int> round{FE_DIVBYZERO, 0, FE_OVERFLOW};
  ASSERT_EQ(seen.size(), 9U);
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], round[i % 3]);
}

TEST(QuickYieldTest, BeginsACoroutineWithTheModesOfTheRuntime) {
  std::vector<int> seen;
  const auto note = [&seen] { seen.push_back(std::fegetround() | fegetexcept()); };
  const auto change = [] {
    std::fesetround(FE_UPWARD);
    feenableexcept(FE_DIVBYZERO);
  };
  weft::run([&] {
    weft::spawn(change);
    weft::spawn(note);  // on the stack of the one before
    weft::suspend();
    weft::spawn([&] {
      change();
      weft::suspend();
      note();
    });
    weft::spawn(note);  // on a stack that is made while the other modes are set
    weft::suspend();
    weft::suspend();
    weft::suspend();
  });
  EXPECT_EQ(seen, (std::vector<int>{FE_TONEAREST, FE_TONEAREST, FE_UPWARD | FE_DIVBYZERO}));
}

#ifdef __x86_64__
// Float modes that are set without the C library are noticed only if weft was built to watch them;
// otherwise they stay set for the thread, as without coroutines.
TEST(QuickYieldTest, LeavesModesThatWereSetByHandToTheThreadUnlessItWatchesThem) {
  constexpr unsigned flush_to_zero = 0x8000;
  const unsigned before = _mm_getcsr();
  unsigned of_main = 0;
  unsigned of_other = 0;
  weft::run([&] {
    auto other = weft::spawn([&] {
      _mm_setcsr(_mm_getcsr() | flush_to_zero);
      weft::suspend();
      of_other = _mm_getcsr() & flush_to_zero;
    });
    weft::suspend();
    of_main = _mm_getcsr() & flush_to_zero;
    weft::await(other);
  });
  EXPECT_EQ(of_other, flush_to_zero);
  EXPECT_EQ(of_main, weft::FloatModes::watch_sse ? 0U : flush_to_zero);
  _mm_setcsr(before);
}
#endif

TEST(QuickYieldTest, KeepsTheExceptionThatIsBeingHandled) {
  Log log;
  weft::run([&] {
    for (const char* text : {"one", "two"}) {
      weft::spawn([&log, text] {
        try {
          throw std::runtime_error{text};
        } catch (const std::runtime_error&) {
          weft::suspend();
          try {
            throw;
          } catch (const std::runtime_error& again) {
            log.push_back(again.what());
          }
        }
      });
    }
    for (int i = 0; i < 3; ++i) {
      weft::suspend();
      EXPECT_EQ(std::current_exception(), nullptr);
    }
  });
  EXPECT_EQ(log, (Log{"one", "two"}));
}

// Every callee-saved register must have its value again.
TEST(QuickYieldTest, KeepsTheRegistersOfTheCaller) {
  weft::run([&] {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      weft::spawn([seed] {
        unsigned a = seed;
        unsigned b = seed * 3;
        unsigned c = seed * 5;
        unsigned d = seed * 7;
        unsigned e = seed * 11;
        unsigned f = seed * 13;
        for (unsigned i = 1; i <= 100; ++i) {
          a += b, b += c, c += d, d += e, e += f, f += 1;
          weft::suspend();
        }
        unsigned w[] = {seed, seed * 3, seed * 5, seed * 7, seed * 11, seed * 13};
        for (unsigned i = 1; i <= 100; ++i) {
          w[0] += w[1], w[1] += w[2], w[2] += w[3], w[3] += w[4], w[4] += w[5], w[5] += 1;
        }
        EXPECT_EQ(a, w[0]);
        EXPECT_EQ(b, w[1]);
        EXPECT_EQ(c, w[2]);
        EXPECT_EQ(d, w[3]);
        EXPECT_EQ(e, w[4]);
        EXPECT_EQ(f, w[5]);
      });
    }
  });
}

}  // namespace
