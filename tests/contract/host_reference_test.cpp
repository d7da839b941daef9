#include <csignal>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "descriptors.hpp"
#include "support.hpp"
#include "temporary.hpp"
#include "weft/extend/fs_watch.hpp"

// A host object does not contain an event whose native handle is closed asynchronously: it holds an
// EventRef, and the object and the event may be destroyed in any order.
namespace host_reference_test {

using namespace std::chrono_literals;
using weft::Event;
using weft_test::Call;

/// An object of a host language, which holds an EventRef.
struct HostObject {
  explicit HostObject(weft::Ref<Event> target) : event{std::move(target)} {}
  weft::EventRef event;
};
static_assert(sizeof(HostObject) <= sizeof(Event) + sizeof(void*), "a marker and a pointer");

/// An event with a single reference, `event`, and a function that makes it happen.
struct Made {
  weft::Ref<Event> event;
  weft::Function<void()> fire;
};

Made timer() {
  return {weft::make_ref<weft::Timer>(1ms), [] {}};
}

Made poll() {
  auto ends = std::make_shared<weft_test::Ends>(weft_test::Ends::sockets());
  return {weft::make_ref<weft::Poll>(ends->here.get(), weft::Poll::readable),
          [ends] { weft_test::put(ends->there.get(), "x"); }};
}

Made signal() {
  return {weft::make_ref<weft::SignalEvent>(SIGUSR1), [] { ::raise(SIGUSR1); }};
}

Made thread() {
  auto channel = std::make_shared<weft::ThreadChannel<int>>(1);
  const weft::Future<int> future = weft::Thread::start([channel] { return channel->recv(); });
  future.ignore();
  return {weft::Ref<Event>{&static_cast<Event&>(future)},
          [channel] { (void)channel->try_send(7); }};
}

Made file_watch() {
  auto directory = std::make_shared<weft_test::TemporaryDirectory>();
  return {weft::make_ref<weft::FileWatchEvent>(*directory / ""),
          [directory] { std::ofstream{*directory / "new"}; }};
}

struct Kind {
  const char* name;
  Made (*make)();
};

/// The event kinds whose native handles close asynchronously.
class HostReference : public ::testing::TestWithParam<Kind> {
 protected:
  int notified_ = 0;
  Call call_{[this](Event&, const weft::Outcome&) { ++notified_; }};
};

INSTANTIATE_TEST_SUITE_P(To, HostReference,
                         ::testing::Values(Kind{"Timer", &timer}, Kind{"Poll", &poll},
                                           Kind{"Signal", &signal}, Kind{"Thread", &thread},
                                           Kind{"FileWatch", &file_watch}),
                         [](const auto& kind) { return std::string{kind.param.name}; });

// R-REF-1, R-REF-3: the object is collected while a coroutine waits and the handle is in use.
TEST_P(HostReference, IsAllThatGoesWithTheHostObject) {
  weft::run([&] {
    Made made = GetParam().make();
    Event& event = *made.event;
    event.add_callback(call_);
    auto host = std::make_unique<HostObject>(std::move(made.event));
    EXPECT_TRUE(host->event.has(Event::reference_flag));
    EXPECT_FALSE(event.has(Event::reference_flag));
    EXPECT_EQ(host->event.target(), &event);
    auto waiting = weft::spawn([&host] { weft::await(host->event); });
    weft::suspend();
    const auto armed = weft::stats().active_events;
    EXPECT_EQ(event.loop_references(), 1U);
    host.reset();
    EXPECT_EQ(event.loop_references(), 1U) << "destroying the object stops nothing";
    EXPECT_EQ(weft::stats().active_events, armed);
    made.fire();
    weft::await(waiting);
    EXPECT_GE(notified_, 1);
  });
  EXPECT_FALSE(call_.is_subscribed()) << "the event was destroyed with its last user";
  EXPECT_EQ(call_.references(), 1U);
  EXPECT_EQ(weft::stats().active_events, 0U);
}

// R-REF-1, R-REF-3, R-RC-6: the object is collected by a callback of its own event.
TEST_P(HostReference, MayGoInACallbackOfItsEvent) {
  weft::run([&] {
    Made made = GetParam().make();
    Event& event = *made.event;
    auto host = std::make_unique<HostObject>(std::move(made.event));
    weft_test::Doorbell gone;
    Call collect{[&](Event& from, const weft::Outcome&) {
      host.reset();
      from.stop();
      from.remove_callback(collect);
      gone.ring_and_close();
    }};
    event.add_callback(collect);
    event.start();
    auto waiting = weft::spawn([&gone] { weft::await(gone); });
    weft::suspend();
    made.fire();
    weft::await(waiting);
    EXPECT_EQ(host, nullptr);
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

}  // namespace host_reference_test
