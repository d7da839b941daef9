#include <limits>
#include <new>

#include <gtest/gtest.h>

#include "support.hpp"

namespace {

using namespace std::chrono_literals;

// R-CHN-16
TEST(ChannelScopeTest, ClosesWithTheScopeThatMadeIt) {
  weft::testing::run([] {
    std::optional<weft::Channel<int>> channel;
    weft::CloseReason seen = weft::CloseReason::none;
    const auto scope = weft::Scope::create();
    scope->spawn([&] {
      channel.emplace();
      weft::delay(1h);
    });
    weft::suspend();
    auto outsider = weft::spawn([&] {
      try {
        channel->recv();
      } catch (const weft::ChannelClosed& closed) {
        seen = closed.reason();
      }
    });
    weft::suspend();
    scope->cancel();
    weft::await(outsider);
    EXPECT_EQ(seen, weft::CloseReason::scope_disposed);
    scope->await_after_cancellation();
  });
}

// R-CHN-16
TEST(ChannelScopeTest, ClosesWhenTheScopeIsDisposedWithZombies) {
  weft::testing::run([] {
    std::optional<weft::Channel<int>> channel;
    const auto scope = weft::Scope::inherit();
    scope->spawn([&] {
      channel.emplace(1);
      weft::delay(1ms);
    });
    weft::suspend();
    scope->dispose_safely();
    EXPECT_EQ(channel->close_reason(), weft::CloseReason::scope_disposed);
    weft::delay(2ms);
  });
}

// R-CHN-16
TEST(ChannelScopeTest, SurvivesTheNaturalEndOfItsScope) {
  weft::testing::run([] {
    std::optional<weft::Channel<int>> channel;
    auto scope = weft::Scope::create();
    scope->spawn([&] { channel.emplace(1); });
    scope->await_completion(weft::timeout(1s));
    EXPECT_FALSE(channel->is_closed());
    scope = nullptr;
    EXPECT_FALSE(channel->is_closed());
    EXPECT_TRUE(channel->try_send(1));
  });
}

// R-CHN-17
TEST(ChannelScopeTest, IsForgottenByItsScopeIfItCouldNotBeMade) {
  weft::testing::run([] {
    const auto scope = weft::Scope::create();
    scope->spawn([] {
      constexpr std::size_t too_many = std::numeric_limits<std::size_t>::max() / 2;
      EXPECT_THROW(static_cast<void>(weft::make_ref<weft::Channel<int>>(too_many)), std::bad_alloc);
      weft::delay(1h);
    });
    weft::suspend();
    scope->cancel();
    scope->await_after_cancellation();
  });
}

// R-CHN-17
TEST(ChannelScopeTest, MayGoBeforeItsScope) {
  weft::testing::run([] {
    const auto scope = weft::Scope::create();
    scope->spawn([&] {
      { const weft::Channel<int> channel; }
      weft::delay(1h);
    });
    weft::suspend();
    scope->cancel();
    scope->await_after_cancellation();
    EXPECT_TRUE(scope->is_closed());
  });
}

}  // namespace
