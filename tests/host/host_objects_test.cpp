#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/toy.hpp"
#include "weft/testing.hpp"
#include "weft/weft.hpp"

// Scopes, futures and channels that are objects of a host, and the conversions between object and
// event.
namespace {

using namespace std::chrono_literals;
using toy::Coroutine;
using toy::Handle;
using toy::Heap;
using toy::Value;

void* object(const toy::Object& of) { return const_cast<toy::Object*>(&of); }

/// R-RC-3: an event leads to the object it is part of.
TEST(HostObject, IsFoundFromItsEvent) {
  toy::run([](Heap& heap) {
    auto coroutine = heap.make<Coroutine>([](Coroutine&) {});
    auto future = heap.make<toy::Future>();
    auto channel = heap.make<toy::Channel>(1U);
    auto scope = heap.make<toy::Scope>(weft::Scope::create());
    EXPECT_EQ(weft::object_of(*coroutine), object(*coroutine));
    EXPECT_EQ(weft::object_of(*future), object(*future));
    EXPECT_EQ(weft::object_of(*channel), object(*channel));
    EXPECT_EQ(weft::object_of(channel->sendable()), object(*channel));
    EXPECT_EQ(weft::object_of(scope->scope()), object(*scope));
    EXPECT_EQ(weft::HostScope::object_of(scope->scope()), object(*scope));
    EXPECT_EQ(weft::HostScope::nearest_object_of(scope->scope()), object(*scope));
    const auto child = weft::Scope::inherit(scope->scope());
    EXPECT_EQ(weft::HostScope::object_of(*child), nullptr);
    EXPECT_EQ(weft::HostScope::nearest_object_of(*child), object(*scope));
    EXPECT_EQ(weft::HostScope::nearest_object_of(*weft::Scope::create()), nullptr);
    weft::Timer timer{1h};
    EXPECT_EQ(weft::object_of(timer), nullptr);
  });
}

/// R-RC-3: the reference of an object leads to an event that lives elsewhere.
TEST(HostObject, LeadsToTheEventItRefersTo) {
  toy::run([](Heap& heap) {
    auto timer = weft::make_ref<weft::Timer>(10ms);
    auto reference = heap.make<toy::Reference>(timer);
    EXPECT_EQ(&weft::resolve(reference->event), timer.get());
    std::exception_ptr error;
    EXPECT_EQ(weft::park(reference->event, error), weft::Woken::event);

    auto future = heap.make<toy::Future>();
    auto second = heap.make<toy::Reference>(weft::Ref<weft::Event>{future.get()});
    EXPECT_EQ(weft::object_of(second->event), object(*future));
    second->event.reset();
    EXPECT_EQ(weft::object_of(second->event), nullptr);
    EXPECT_EQ(weft::park(second->event, error), weft::Woken::failed);
    future->ignore();
  });
}

/// R-RC-4: an armed event and the object that refers to it are destroyed in any order.
TEST(HostObject, AndTheEventItRefersToGoInAnyOrder) {
  toy::run([](Heap& heap) {
    auto timer = weft::make_ref<weft::Timer>(10ms);
    weft::Timer& armed = *timer;
    auto reference = heap.make<toy::Reference>(std::move(timer));
    auto waiter = weft::spawn([&] { weft::await(static_cast<weft::Event&>(armed)); });
    weft::suspend();
    reference.reset();
    EXPECT_EQ(heap.size(), 0U);
    weft::await(waiter);

    auto other = heap.make<toy::Reference>(weft::make_ref<weft::Timer>(10ms));
    other->event.reset();
    EXPECT_TRUE(other->event.is_completed());
  });
}

TEST(HostFuture, IsReadAndWrittenThroughTheObject) {
  toy::run([](Heap& heap) {
    auto future = heap.make<toy::Future>();
    const weft::Future<int> reader{weft::Ref<weft::FutureState<int>>{future.get()}};
    auto writer = weft::spawn([&] { future->complete(weft::Place::here(), 7); });
    EXPECT_EQ(weft::await(reader), 7);
    weft::await(writer);
  });
}

TEST(HostFuture, IsHeldByItsReadersAndByWhatWaitsForIt) {
  toy::run([](Heap& heap) {
    auto future = heap.make<toy::Future>();
    toy::Future& state = *future;
    int read = 0;
    auto reader = weft::spawn([&] {
      const weft::Future<int> own{weft::Ref<weft::FutureState<int>>{&state}};
      read = weft::await(own);
    });
    weft::suspend();
    future.reset();
    EXPECT_EQ(heap.size(), 1U);
    state.complete(weft::Place::here(), 8);
    weft::await(reader);
    EXPECT_EQ(read, 8);
    EXPECT_EQ(heap.size(), 0U);
  });
}

TEST(HostFuture, WarnsOnceOfAnErrorThatWasNotRead) {
  std::vector<std::string> warnings;
  weft::Options options;
  options.on_warning = [&](std::string_view text) { warnings.emplace_back(text); };
  Heap heap;
  weft::testing::run(
      [&] {
        auto future = heap.make<toy::Future>();
        future->fail(std::make_exception_ptr(std::runtime_error{"boom"}), weft::Place::here());
      },
      options);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings[0], ::testing::HasSubstr("boom"));
}

TEST(HostFuture, BreaksTheChainsThatAreLeftWhenItGoes) {
  toy::run([](Heap& heap) {
    auto future = heap.make<toy::Future>();
    const weft::Future<int> reader{weft::Ref<weft::FutureState<int>>{future.get()}};
    const weft::Future<int> chained = reader.map([](int value) { return value + 1; });
    future->complete(weft::Place::here(), 1);
    EXPECT_EQ(weft::await(chained), 2);
  });
}

TEST(HostFuture, ThatIsAbandonedFailsLaterWaits) {
  toy::run([](Heap& heap) {
    auto future = heap.make<toy::Future>();
    future->abandon();
    std::exception_ptr error;
    EXPECT_EQ(weft::park(*future, error), weft::Woken::event);
    EXPECT_THROW(std::rethrow_exception(error), weft::BrokenPromise);
  });
}

TEST(HostRuntime, ThatEndsWithoutFinishWarnsOfTheErrorItEndsWith) {
  std::vector<std::string> warnings;
  Heap heap;
  {
    weft::Options options;
    options.on_warning = [&](std::string_view text) { warnings.emplace_back(text); };
    weft::Runtime runtime{options};
    heap.make<Coroutine>([&heap](Coroutine& self) {
          weft::Timer timer{1h};
          EXPECT_FALSE(self.await(timer));
          self.throw_error(*heap.make<Value>());  // while it cleans up
        })
        ->enter();
    runtime.tick(weft::Wait::no);
  }
  EXPECT_THAT(warnings, ::testing::ElementsAre(::testing::HasSubstr("without finish()")));
}

TEST(HostChannel, CarriesValuesBetweenTheLanguageAndCpp) {
  toy::run([](Heap& heap) {
    auto channel = heap.make<toy::Channel>();
    int received = 0;
    auto script = heap.make<Coroutine>([&](Coroutine& self) {
      if (!self.await(*channel)) return;
      received = channel->try_recv().value_or(-1);
    });
    script->enter();
    channel->send(5);
    weft::await(static_cast<weft::Event&>(*script));
    EXPECT_EQ(received, 5);
  });
}

TEST(HostChannel, IsHeldByWaitsForItsHintEvents) {
  toy::run([](Heap& heap) {
    auto channel = heap.make<toy::Channel>(1U);
    toy::Channel& raw = *channel;
    auto waiter = weft::spawn([&] { weft::await(static_cast<weft::Event&>(raw)); });
    weft::suspend();
    EXPECT_EQ(static_cast<toy::Object&>(raw).references(), 2U);
    EXPECT_TRUE(raw.try_send(1));
    channel.reset();
    EXPECT_EQ(heap.size(), 1U);
    weft::await(waiter);
    heap.sweep();
    EXPECT_EQ(heap.size(), 0U) << "the wait is over";
  });
}

TEST(HostChannel, FailsItsWaitersWhenItGoes) {
  toy::run([](Heap& heap) {
    auto channel = heap.make<toy::Channel>();
    toy::Channel& raw = *channel;
    bool closed = false;
    auto receiver = weft::spawn([&] {
      try {
        raw.recv();
      } catch (const weft::ChannelClosed&) {
        closed = true;
      }
    });
    weft::suspend();
    channel.reset();
    weft::await(receiver);
    EXPECT_TRUE(closed);
  });
}

TEST(HostChannel, IsCountedThroughRef) {
  toy::run([](Heap& heap) {
    auto channel = heap.make<toy::Channel>(1U);
    const weft::Ref<weft::Channel<int>> shared{channel.get()};
    channel.reset();
    EXPECT_TRUE(shared->try_send(3));
    EXPECT_EQ(heap.size(), 1U);
  });
}

TEST(HostScope, CountsItsReferencesInTheObject) {
  toy::run([](Heap& heap) {
    auto scope = heap.make<toy::Scope>(weft::Scope::create());
    const weft::Ref<weft::Scope> shared{&scope->scope()};
    EXPECT_EQ(static_cast<toy::Object&>(*scope).references(), 2U);
    scope.reset();
    EXPECT_EQ(heap.size(), 1U);
    EXPECT_FALSE(shared->is_cancelled());
    weft::await(shared->spawn([&] { EXPECT_EQ(weft::Scope::current().get(), shared.get()); }));
  });
}

/// R-RC-4 for a scope: its coroutines are cancelled and clean up after the object is destroyed.
TEST(HostScope, OutlivesItsObjectUntilItsCoroutinesHaveEnded) {
  toy::run([](Heap& heap) {
    auto scope = heap.make<toy::Scope>(weft::Scope::create());
    bool cleaned = false;
    auto coroutine = scope->scope().spawn([&] {
      try {
        weft::delay(1h);
      } catch (const weft::Cancelled&) {
        const auto current = weft::Scope::current();
        EXPECT_EQ(weft::HostScope::object_of(*current), nullptr);
        weft::protect([] { weft::delay(1s); });
        cleaned = true;
      }
    });
    weft::suspend();
    scope.reset();
    EXPECT_EQ(heap.size(), 0U);
    weft::await(static_cast<weft::Event&>(coroutine));
    EXPECT_TRUE(cleaned);
  });
}

TEST(HostScope, TakesOnlyAScopeThatIsNotReferredToElsewhere) {
  toy::run([](Heap& heap) {
    const auto shared = weft::Scope::create();
    EXPECT_THROW(heap.make<toy::Scope>(shared), weft::MisuseError);
  });
}

TEST(HostScope, IsCancelledWithAnErrorOfTheHost) {
  toy::run([](Heap& heap) {
    auto error = heap.make<Value>();
    auto scope = heap.make<toy::Scope>(weft::Scope::create());
    weft::Timer timer{1h};
    toy::Object* seen = nullptr;
    auto coroutine = heap.make<Coroutine>([&](Coroutine& self) {
      EXPECT_FALSE(self.await(timer));
      seen = toy::object_in(self.catch_error());
    });
    coroutine->enter(&scope->scope());
    weft::suspend();
    scope->scope().cancel(std::make_exception_ptr(toy::Ended{Handle<toy::Object>{*error}}));
    std::exception_ptr of_scope;
    EXPECT_EQ(weft::park(scope->scope(), of_scope), weft::Woken::event);
    EXPECT_EQ(seen, error.get());
    EXPECT_EQ(toy::object_in(of_scope), error.get());
  });
}

TEST(HostCycle, OfEndedObjectsIsCollected) {
  toy::run([](Heap& heap) {
    auto future = heap.make<toy::Future>();
    auto coroutine = heap.make<Coroutine>([](Coroutine& self) { EXPECT_TRUE(self.yield()); });
    future->add_field(*coroutine);
    coroutine->add_field(*future);
    coroutine->enter();
    weft::await(static_cast<weft::Event&>(*coroutine));
    future->ignore();
    future.reset();
    coroutine.reset();
    heap.sweep();
    EXPECT_EQ(heap.size(), 2U) << "they refer to each other";
    EXPECT_EQ(heap.collect(), 2U);
    EXPECT_EQ(heap.size(), 0U);
  });
}

TEST(HostCycle, WithACoroutineThatRunsIsNotCollected) {
  toy::run([](Heap& heap) {
    auto future = heap.make<toy::Future>();
    toy::Future& state = *future;
    bool ended = false;
    auto coroutine = heap.make<Coroutine>([&](Coroutine& self) { ended = self.await(state); });
    future->add_field(*coroutine);
    coroutine->add_field(*future);
    coroutine->enter();
    weft::suspend();
    future.reset();
    coroutine.reset();
    EXPECT_EQ(heap.collect(), 0U) << "the runtime refers to it";
    state.complete(weft::Place::here(), 1);
    while (!ended) weft::suspend();
    weft::suspend();
    heap.sweep();
    EXPECT_EQ(heap.collect(), 2U);
  });
}

TEST(HostCycle, OfAChannelAndAValueInItIsCollected) {
  toy::run([](Heap& heap) {
    auto channel = heap.make<toy::Channel>(1U);
    auto value = heap.make<Value>();
    channel->add_field(*value);
    value->add_field(*channel);
    weft::Event& hint = *channel;
    EXPECT_FALSE(hint.is_ready());
    channel.reset();
    value.reset();
    EXPECT_EQ(heap.collect(), 2U);
  });
}

}  // namespace
