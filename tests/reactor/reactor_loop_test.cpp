#include <chrono>

#include <gtest/gtest.h>
#include <uv.h>

#include "reactor/reactor.hpp"
#include "weft/clock.hpp"
#include "weft/testing.hpp"

namespace {

using namespace std::chrono_literals;
using weft::Reactor;
using weft::Wait;

// R-REA-9
TEST(ReactorLoop, IsALibuvLoopWhoseHandlesAreServedByAPoll) {
  Reactor reactor{weft::Clock::real(), nullptr};
  weft::Mailbox& mailbox = reactor.mailbox();  // anything that lives in the loop
  static_cast<void>(mailbox);
  bool served = false;
  uv_async_t knock;
  knock.data = &served;
  ASSERT_EQ(uv_async_init(&reactor.loop(), &knock,
                          [](uv_async_t* handle) { *static_cast<bool*>(handle->data) = true; }),
            0);
  uv_async_send(&knock);
  uv_run(&reactor.loop(), UV_RUN_NOWAIT);
  EXPECT_TRUE(served);
  uv_close(reinterpret_cast<uv_handle_t*>(&knock), nullptr);
}

// R-REA-10
TEST(ReactorLoop, IsMadeWhenTheFirstThingNeedsIt) {
  weft::testing::VirtualClock clock;
  Reactor reactor{clock, nullptr};
  reactor.open();
  EXPECT_EQ(reactor.ticks() + reactor.waits(), 0U);
  EXPECT_FALSE(reactor.poll(Wait::no, weft::never));
  EXPECT_EQ(reactor.ticks(), 1U);
  EXPECT_EQ(reactor.active_events(), 0U);
  EXPECT_EQ(reactor.hidden_events(), 0U);
  EXPECT_TRUE(reactor.timers().empty());
  uv_loop_t* first = &reactor.loop();
  EXPECT_EQ(first, &reactor.loop());  // one loop, for the reactor's life
}

}  // namespace
