#include <csignal>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Call;
using weft_test::Doorbell;
using weft_test::Log;

/// What has happened to a Witness.
struct Fate {
  int disposed = 0;
  int destroyed = 0;
  std::uint32_t references_at_disposal = 99;
};

class Witness : public weft::Event {
 public:
  explicit Witness(Fate& fate) : fate_{&fate} {}
  ~Witness() override { ++fate_->destroyed; }
  static void operator delete(void* memory) {
    ++freed;
    ::operator delete(memory);
  }
  void ring() noexcept { notify(); }

  static inline int freed = 0;  // static, because it is read after the memory was freed

 protected:
  void dispose() noexcept override {
    ++fate_->disposed;
    fate_->references_at_disposal = references();
    Event::dispose();
  }
  [[nodiscard]] Fate& fate() const noexcept { return *fate_; }

 private:
  Fate* fate_;
};

// R-RC-1, R-EVT-18
TEST(EventLifetime, EndsWithTheLastReference) {
  Fate fate;
  Witness::freed = 0;
  auto first = weft::make_ref<Witness>(fate);
  weft::Ref<weft::Event> second = first;
  EXPECT_EQ(first->references(), 2U);
  first = nullptr;
  EXPECT_EQ(fate.disposed, 0);
  EXPECT_EQ(second->references(), 1U);
  second = nullptr;
  EXPECT_EQ(fate.disposed, 1);
  EXPECT_EQ(fate.destroyed, 1);
  EXPECT_EQ(Witness::freed, 1);
}

// R-RC-5
TEST(EventLifetime, TheCountIsZeroWhenItIsDisposed) {
  Fate fate;
  { const auto witness = weft::make_ref<Witness>(fate); }
  EXPECT_EQ(fate.references_at_disposal, 0U);
}

// R-RC-5
TEST(EventLifetime, ReleasingAgainWhileItIsDisposedIsHarmless) {
  class Nervous final : public Witness {
   public:
    using Witness::Witness;

   protected:
    void dispose() noexcept override {
      ++fate().disposed;
      if (fate().disposed > 1) return;
      release();
      // Clean-up code may take and drop references.
      { const weft::Ref<Event> again{this}; }
      Event::dispose();
    }
  };
  Fate fate;
  { const auto nervous = weft::make_ref<Nervous>(fate); }
  EXPECT_EQ(fate.disposed, 1);
  EXPECT_EQ(fate.destroyed, 1);
}

// R-RC-5: a destructor may notify and close, although a notification takes a reference.
TEST(EventLifetime, AKindMayNotifyFromItsDestructor) {
  class Farewell final : public weft::Event {
   public:
    explicit Farewell(int& count) : count_{&count} {}
    ~Farewell() override {
      ++*count_;
      if (*count_ == 1) notify_and_close();
    }

   private:
    int* count_;
  };
  int destroyed = 0;
  { const auto counted = weft::make_ref<Farewell>(destroyed); }
  EXPECT_EQ(destroyed, 1);
  destroyed = 0;
  { const Farewell on_the_stack{destroyed}; }
  EXPECT_EQ(destroyed, 1);
}

// R-RC-6
TEST(EventLifetime, ACallbackMayReleaseTheLastReferenceDuringTheNotification) {
  Fate fate;
  Log log;
  auto witness = weft::make_ref<Witness>(fate);
  Call first{[&](weft::Event& event, const weft::Outcome&) {
    witness = nullptr;
    EXPECT_EQ(fate.disposed, 0);
    event.remove_callback(first);
    log.push_back("first");
  }};
  Call second{[&](weft::Event& event, const weft::Outcome&) {
    EXPECT_EQ(fate.disposed, 0) << "the notification itself holds the event";
    EXPECT_EQ(event.references(), 1U);
    event.remove_callback(second);
    log.push_back("second");
  }};
  witness->add_callback(first);
  witness->add_callback(second);
  witness->ring();
  EXPECT_EQ(log, (Log{"first", "second"}));
  EXPECT_EQ(fate.destroyed, 1);
}

/// An event that is part of an object of a host language; the object has the only reference count.
class Hosted final : public weft::Event {
 public:
  explicit Hosted(int& count) : count_{&count} { set(host_object_flag); }
  void ring() noexcept { notify(); }

 protected:
  void host_retain() noexcept override { ++*count_; }
  void host_release() noexcept override { --*count_; }

 private:
  int* count_;
};

// R-RC-2, R-FLG-5
TEST(EventLifetime, CountsOnTheHostObjectIfThereIsOne) {
  int host_count = 1;
  Hosted hosted{host_count};
  EXPECT_TRUE(hosted.has(weft::Event::host_object_flag));
  {
    const weft::Ref<weft::Event> reference{&hosted};
    EXPECT_EQ(host_count, 2);
    EXPECT_EQ(hosted.references(), 1U) << "the count of the event is not used";
    const weft::Ref<weft::Event> another = reference;
    EXPECT_EQ(host_count, 3);
  }
  EXPECT_EQ(host_count, 1);
}

// R-RC-2
TEST(EventLifetime, AnInternalEventDoesNotAskAHost) {
  int host_count = 1;
  Hosted hosted{host_count};
  hosted.set(weft::Event::host_object_flag, false);
  {
    const weft::Ref<weft::Event> reference{&hosted};
    EXPECT_EQ(host_count, 1);
    EXPECT_EQ(hosted.references(), 2U);
  }
  EXPECT_EQ(hosted.references(), 1U);
}

// R-RC-2: a wait and a notification count on the host object too.
TEST(EventLifetime, AWaitForAHostedEventHoldsTheHostObject) {
  int host_count = 1;
  int during = 0;
  weft::testing::run([&] {
    Hosted hosted{host_count};
    auto waiter = weft::spawn([&] {
      weft::Waker& waker = weft::current().base().waker().renew();
      waker.resume_when(weft::Ref<weft::Event>{&hosted});
      weft::suspend(waker);
      waker.renew();
    });
    weft::testing::settle();
    during = host_count;
    hosted.ring();
    weft::await(waiter);
  });
  EXPECT_EQ(during, 2);
  EXPECT_EQ(host_count, 1);
}

// R-FLG-6
TEST(EventLifetime, TheLastReferenceDoesNotFreeMemoryThatIsNotTheEvents) {
  Fate fate;
  Witness::freed = 0;
  // Not destroyed here: as for an event inside a foreign structure, only the storage is known.
  alignas(Witness) std::byte storage[sizeof(Witness)];
  auto* witness = ::new (static_cast<void*>(storage)) Witness{fate};
  EXPECT_TRUE(witness->has(weft::Event::no_free_memory_flag));
  witness->release();
  EXPECT_EQ(fate.disposed, 1);
  EXPECT_EQ(Witness::freed, 0);
}

// R-FLG-6
TEST(EventLifetime, AnEventOnTheStackSurvivesReferencesThatComeAndGo) {
  Doorbell bell;
  { const weft::Ref<weft::Event> reference{&bell}; }
  EXPECT_EQ(bell.references(), 1U);
  int rung = 0;
  Call call{[&](weft::Event&, const weft::Outcome&) { ++rung; }};
  bell.add_callback(call);
  bell.ring();
  bell.remove_callback(call);
  EXPECT_EQ(rung, 1);
}

// R-LIFE-5: a closed event exists as long as there is a reference to it.
TEST(EventLifetime, AClosedEventIsDisposedWithItsLastReference) {
  class Closing final : public Witness {
   public:
    using Witness::Witness;
    void finish() noexcept { notify_and_close(); }
  };
  Fate fate;
  auto event = weft::make_ref<Closing>(fate);
  event->finish();
  EXPECT_TRUE(event->is_closed());
  EXPECT_EQ(fate.disposed, 0);
  event = nullptr;
  EXPECT_EQ(fate.disposed, 1);
}

// R-EVT-18: an event that is destroyed notifies its subscribers and removes them.
TEST(EventLifetime, AnEventOnTheStackThatDiesNotifiesItsSubscribers) {
  std::exception_ptr error;
  Call call{[&](weft::Event& event, const weft::Outcome& outcome) {
    EXPECT_TRUE(event.is_closed());
    error = outcome.error();
  }};
  {
    Doorbell bell;
    bell.add_callback(call);
  }
  EXPECT_TRUE(weft_test::is<weft::ObjectDestroyed>(error));
  EXPECT_EQ(call.disposed(), 1);
  EXPECT_FALSE(call.is_subscribed());
}

// R-EVT-18
TEST(EventLifetimeDeathTest, AnEventOnTheStackMayNotDieWhileItIsReferredTo) {
  EXPECT_EXIT(
      {
        weft::Ref<weft::Event> reference;
        Doorbell bell;
        reference = weft::Ref<weft::Event>{&bell};
      },
      ::testing::KilledBySignal(SIGABRT), "refer");
}

}  // namespace
