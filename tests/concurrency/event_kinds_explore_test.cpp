#include <memory>
#include <optional>

#include <gtest/gtest.h>

#include "all_schedules.hpp"
#include "support.hpp"

// Waits for channels, pools, scopes and groups as events, under every schedule and with a
// cancellation at every suspension: no hint is lost, no value is taken, no event is left over.
namespace {

using weft::Channel;
using weft::Event;
using weft_test::expect_all_schedules;

/// Waits for hints and takes values until the channel is closed and empty.
int drain(Channel<int>& channel) {
  int taken = 0;
  for (;;) {
    weft::await(channel);
    const std::optional<int> value = channel.try_recv();
    if (value) {
      ++taken;
    } else if (channel.is_closed() && channel.is_empty()) {
      return taken;
    }
  }
}

/// Closes `channel` when the coroutine that captures it ends, even if that never runs.
auto closing(Channel<int>& channel) {
  return std::make_shared<weft_test::AtEnd>([&channel] { channel.close(); });
}

void watchers_share(std::size_t capacity) {
  struct Shared {
    explicit Shared(std::size_t size) : channel{size} {}
    Channel<int> channel;
    int taken = 0;
  };
  const auto shared = std::make_shared<Shared>(capacity);
  for (int i = 0; i < 2; ++i) {
    weft::spawn([shared] { shared->taken += drain(shared->channel); });
  }
  weft::spawn([shared, closes = closing(shared->channel)] {
    shared->channel.send(1);
    shared->channel.send(2);
  });
}

// R-EVT-1, R-CHN-12, R-CAN-6
TEST(ExploredHintTest, LosesNoHintOfABuffer) {
  expect_all_schedules([] { watchers_share(1); });
}

// R-EVT-1: a rendezvous channel hints at senders that park.
TEST(ExploredHintTest, LosesNoHintOfARendezvous) {
  expect_all_schedules([] { watchers_share(0); });
}

// R-EVT-1: beside receivers in recv(), which may be cancelled when a value is reserved for them.
TEST(ExploredHintTest, LosesNoHintBesideReceivers) {
  expect_all_schedules([] {
    const auto channel = std::make_shared<Channel<int>>(1);
    weft::spawn([channel] { (void)drain(*channel); });
    weft::spawn([channel] {
      try {
        (void)channel->recv();
      } catch (const weft::ChannelClosed&) {
      }
    });
    weft::spawn([channel, closes = closing(*channel)] {
      channel->send(1);
      channel->send(2);
    });
  });
}

// R-EVT-1: the event of Channel::sendable().
TEST(ExploredHintTest, LosesNoHintOfAPlace) {
  expect_all_schedules([] {
    const auto channel = std::make_shared<Channel<int>>(1);
    for (int i = 0; i < 2; ++i) {
      weft::spawn([channel, i] {
        while (!channel->is_closed() && !channel->try_send(i)) weft::await(channel->sendable());
      });
    }
    weft::spawn([channel, closes = closing(*channel)] {
      (void)channel->recv();  // the sender of the other value may have been cancelled
      weft::suspend();
    });
  });
}

// R-EVT-1, R-RPL-10
TEST(ExploredHintTest, LosesNoHintOfAPool) {
  expect_all_schedules([] {
    weft::PoolOptions<int> options{.max = 1, .create = [] { return 1; }};
    const auto pool = std::make_shared<weft::Pool<int>>(std::move(options));
    for (int i = 0; i < 2; ++i) {
      weft::spawn([pool] {
        for (;;) {
          weft::await(*pool);
          if (const auto lease = pool->try_acquire()) {
            weft::suspend();
            return;
          }
        }
      });
    }
    weft::spawn([pool] {
      const auto lease = pool->acquire();
      weft::suspend();
    });
  });
}

// R-EVT-14, R-SCP-12
TEST(ExploredHintTest, EndsEveryWaitForAScope) {
  expect_all_schedules([] {
    auto scope = weft::Scope::create();
    const weft::Ref<Event> event{&static_cast<Event&>(*scope)};
    for (int i = 0; i < 2; ++i) {
      weft::spawn([event] {
        weft::await(*event);  // throws the cancellation of the scope, or of this coroutine
      });
    }
    scope->spawn([] { weft::suspend(); });
    weft::spawn([scope] { scope->cancel(); });
    const weft_test::AtEnd cancel{[scope] { scope->cancel(); }};
    weft::suspend();
  });
}

// R-EVT-14, R-TGR-7
TEST(ExploredHintTest, EndsEveryWaitForAGroup) {
  expect_all_schedules([] {
    const auto group = std::make_shared<weft::TaskGroup<int>>();
    const weft_test::AtEnd close{[group] { group->close(); }};
    weft::spawn([group] { weft::await(*group); });
    group->spawn([] {
      weft::suspend();
      return 1;
    });
    weft::spawn([group] { group->close(); });
    weft::suspend();
  });
}

}  // namespace
