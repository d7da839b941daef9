#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "concurrency/all_schedules.hpp"
#include "host/toy.hpp"
#include "weft/testing.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using toy::Coroutine;
using toy::Handle;
using toy::Heap;
using toy::Value;

TEST(HostCoroutine, RunsInTheScopeItIsEnteredInto) {
  toy::run([](Heap& heap) {
    auto scope = weft::Scope::create();
    weft::Scope* seen = nullptr;
    auto coroutine = heap.make<Coroutine>([&](Coroutine&) { seen = weft::Scope::current().get(); });
    coroutine->enter(scope.get(), {.name = "toy"});
    EXPECT_EQ(scope->size(), 1U);
    EXPECT_EQ(coroutine->name(), "toy");
    weft::await(static_cast<weft::Event&>(*coroutine));
    EXPECT_EQ(seen, scope.get());
    EXPECT_TRUE(coroutine->is_completed());
  });
}

TEST(HostCoroutine, IsEnteredIntoTheScopeOfTheCallerByDefault) {
  toy::run([](Heap& heap) {
    auto scope = weft::Scope::create();
    auto coroutine = heap.make<Coroutine>([](Coroutine&) {});
    weft::await(scope->spawn([&] {
      coroutine->enter();
      EXPECT_EQ(scope->size(), 2U);
    }));
    weft::await(static_cast<weft::Event&>(*coroutine));
  });
}

TEST(HostCoroutine, CanBeEnteredOnce) {
  toy::run([](Heap& heap) {
    auto coroutine = heap.make<Coroutine>([](Coroutine&) {});
    coroutine->enter();
    EXPECT_THROW(coroutine->enter(), weft::MisuseError);
    weft::await(static_cast<weft::Event&>(*coroutine));
    EXPECT_THROW(coroutine->enter(), weft::MisuseError);
  });
}

TEST(HostCoroutine, IsRefusedByACancelledScopeAndCanBeEnteredElsewhere) {
  toy::run([](Heap& heap) {
    auto scope = weft::Scope::create();
    scope->cancel();
    auto coroutine = heap.make<Coroutine>([](Coroutine&) {});
    EXPECT_THROW(coroutine->enter(scope.get()), weft::MisuseError);
    EXPECT_EQ(coroutine->references(), 1U);
    coroutine->enter();
    weft::await(static_cast<weft::Event&>(*coroutine));
  });
}

/// R-RC-2: the host's object has the only reference count.
TEST(HostCoroutine, IsHeldByTheRuntimeUntilItHasEnded) {
  toy::run([](Heap& heap) {
    bool ended = false;
    auto coroutine = heap.make<Coroutine>([&](Coroutine& self) {
      EXPECT_TRUE(self.yield());
      ended = true;
    });
    coroutine->enter();
    EXPECT_EQ(coroutine->references(), 2U);
    Coroutine& object = *coroutine;
    coroutine.reset();
    EXPECT_EQ(object.references(), 1U);
    EXPECT_EQ(heap.size(), 1U);
    while (!ended) weft::suspend();
    weft::suspend();
    EXPECT_EQ(heap.kept(), 1U) << "the registry drops its reference in the scheduler phase";
    heap.sweep();
    EXPECT_EQ(heap.size(), 0U);
  });
}

TEST(HostCoroutine, IsHeldByWhatWaitsForIt) {
  toy::run([](Heap& heap) {
    auto coroutine = heap.make<Coroutine>([](Coroutine& self) {
      for (int i = 0; i < 3; ++i) EXPECT_TRUE(self.yield());
    });
    coroutine->enter();
    weft::Event& event = *coroutine;
    weft::Timer timer{1h};
    weft::Waker& waker = weft::current().base().waker().renew();
    waker.resume_when(event);
    waker.resume_when(timer);
    coroutine.reset();
    weft::suspend(waker);
    EXPECT_EQ(waker.triggered(), 0);
  });
}

TEST(HostCoroutine, FailsWithoutAThrow) {
  toy::run([](Heap& heap) {
    auto error = heap.make<Value>();
    auto coroutine = heap.make<Coroutine>([&](Coroutine& self) { self.throw_error(*error); });
    coroutine->enter();
    std::exception_ptr seen;
    EXPECT_EQ(weft::park(*coroutine, seen), weft::Woken::event);
    EXPECT_EQ(toy::object_in(seen), error.get());
    EXPECT_EQ(toy::object_in(coroutine->outcome_error()), error.get());
    EXPECT_THROW(coroutine->throw_outcome(), toy::Thrown);
  });
}

TEST(HostCoroutine, MayWaitAfterItHasFailed) {
  toy::run([](Heap& heap) {
    auto error = heap.make<Value>();
    bool cleaned = false;
    auto coroutine = heap.make<Coroutine>([&](Coroutine& self) {
      self.throw_error(*error);
      const std::exception_ptr failure = self.catch_error();
      EXPECT_TRUE(self.yield());  // a clean-up of the language
      cleaned = true;
      self.throw_error(*toy::object_in(failure));
    });
    coroutine->enter();
    std::exception_ptr seen;
    EXPECT_EQ(weft::park(*coroutine, seen), weft::Woken::event);
    EXPECT_TRUE(cleaned);
    EXPECT_EQ(toy::object_in(seen), error.get());
  });
}

/// R-EXC-4: the references of the host decide whether the error can still be read.
TEST(HostCoroutine, KeepsItsErrorWhileTheHostRefersToIt) {
  toy::run([](Heap& heap) {
    auto error = heap.make<Value>();
    auto coroutine = heap.make<Coroutine>([&](Coroutine& self) { self.throw_error(*error); });
    coroutine->enter();
    weft::suspend();
    weft::suspend();
    EXPECT_TRUE(coroutine->is_completed());
    EXPECT_THROW(coroutine->throw_outcome(), toy::Thrown);
  });
}

TEST(HostCoroutine, EndsTheProgramWithAnErrorThatNothingCanRead) {
  Heap heap;
  EXPECT_THROW(weft::testing::run([&] {
                 auto error = heap.make<Value>();
                 auto coroutine =
                     heap.make<Coroutine>([error](Coroutine& self) { self.throw_error(*error); });
                 coroutine->enter();
                 coroutine.reset();
                 weft::delay(1h);
               }),
               toy::Thrown);
  heap.sweep();
  EXPECT_EQ(heap.size(), 0U);
}

TEST(HostCoroutine, EndsTheProgramWhenItsLastReferenceGoesUnread) {
  Heap heap;
  EXPECT_THROW(weft::testing::run([&] {
                 auto coroutine = heap.make<Coroutine>(
                     [&heap](Coroutine& self) { self.throw_error(*heap.make<Value>()); });
                 coroutine->enter();
                 while (!coroutine->is_completed()) weft::suspend();
                 coroutine.reset();
                 weft::delay(1h);
               }),
               toy::Thrown);
  heap.sweep();
  EXPECT_EQ(heap.size(), 0U);
}

TEST(HostCoroutine, ThatDiesUnreadWithoutAWordIsForgotten) {
  toy::run([](Heap& heap) {
    class Careless : public Coroutine {
     public:
      using Coroutine::Coroutine;

     private:
      void finalize() noexcept override {}  // does not call the runtime
    };
    auto coroutine =
        heap.make<Careless>([&heap](Coroutine& self) { self.throw_error(*heap.make<Value>()); });
    coroutine->enter();
    while (!coroutine->is_completed()) weft::suspend();
    coroutine.reset();
    weft::suspend();
  });
}

TEST(HostCoroutine, ThatIsCancelledBeforeItsStartDropsItsBodyOnAStack) {
  toy::run([](Heap& heap) {
    bool ran = false;
    auto coroutine = heap.make<Coroutine>([&](Coroutine&) { ran = true; });
    coroutine->enter();
    coroutine->cancel();
    std::exception_ptr seen;
    EXPECT_EQ(weft::park(*coroutine, seen), weft::Woken::event);
    EXPECT_TRUE(weft::is_cancellation(seen));
    EXPECT_FALSE(ran);
    EXPECT_TRUE(coroutine->has_dropped());
    EXPECT_TRUE(coroutine->could_suspend_when_dropped());
  });
}

TEST(HostCoroutine, IsCancelledWithAnErrorOfTheHost) {
  toy::run([](Heap& heap) {
    auto error = heap.make<Value>();
    weft::Timer timer{1h};
    auto coroutine = heap.make<Coroutine>([&](Coroutine& self) {
      EXPECT_FALSE(self.await(timer));
      EXPECT_EQ(toy::object_in(self.pending()), error.get());
    });
    coroutine->enter();
    weft::suspend();
    coroutine->cancel(std::make_exception_ptr(toy::Ended{Handle<toy::Object>{*error}}));
    std::exception_ptr seen;
    EXPECT_EQ(weft::park(*coroutine, seen), weft::Woken::event);
    EXPECT_EQ(toy::object_in(seen), error.get());
    EXPECT_TRUE(weft::is_cancellation(seen));
    EXPECT_TRUE(coroutine->is_cancelled());
  });
}

TEST(HostCoroutine, GetsTheErrorThatAShutdownWasAskedForWith) {
  Heap heap;
  weft::testing::run([&] {
    auto error = heap.make<Value>();
    weft::Timer timer{1h};
    toy::Object* seen = nullptr;
    auto coroutine = heap.make<Coroutine>([&](Coroutine& self) {
      EXPECT_FALSE(self.await(timer));
      seen = toy::object_in(self.pending());
    });
    coroutine->enter();
    weft::suspend();
    weft::shutdown(std::make_exception_ptr(toy::Ended{Handle<toy::Object>{*error}}));
    try {
      weft::delay(1h);
      ADD_FAILURE() << "main was not cancelled";
    } catch (const toy::Ended& ended) {
      EXPECT_EQ(ended.error().get(), error.get());
    }
    EXPECT_EQ(seen, error.get());
  });
  heap.sweep();
  EXPECT_EQ(heap.size(), 0U) << "errors of the host outlived the runtime";
}

TEST(HostCoroutine, IsSeenThroughAnyCoroutine) {
  toy::run([](Heap& heap) {
    auto coroutine = heap.make<Coroutine>([](Coroutine& self) { EXPECT_TRUE(self.yield()); });
    coroutine->enter();
    {
      const auto handle = weft::AnyCoroutine::holding(*coroutine);
      EXPECT_EQ(coroutine->references(), 3U);
      EXPECT_EQ(handle.id(), coroutine->id());
      EXPECT_FALSE(handle.is_completed());
    }
    EXPECT_EQ(coroutine->references(), 2U);
  });
}

TEST(HostCoroutine, RunsItsFinallyHandlers) {
  toy::run([](Heap& heap) {
    auto coroutine = heap.make<Coroutine>([](Coroutine&) {});
    coroutine->enter();
    void* ended = nullptr;
    coroutine->on_finally([&](weft::CoroutineBase& base) { ended = weft::object_of(base); });
    while (ended == nullptr) weft::suspend();
    EXPECT_EQ(ended, static_cast<toy::Object*>(coroutine.get()));
  });
}

TEST(HostCoroutine, IsReportedToTheExceptionHandlerOfItsScope) {
  toy::run([](Heap& heap) {
    auto scope = weft::Scope::create();
    void* failed = nullptr;
    scope->set_exception_handler(
        [&](weft::Scope&, const weft::AnyCoroutine& coroutine, const std::exception_ptr&) {
          failed = weft::object_of(coroutine);
        });
    auto coroutine =
        heap.make<Coroutine>([&heap](Coroutine& self) { self.throw_error(*heap.make<Value>()); });
    coroutine->enter(scope.get());
    toy::Object* const object = coroutine.get();
    coroutine.reset();
    while (failed == nullptr) weft::suspend();
    EXPECT_EQ(failed, object);
  });
}

TEST(HostCoroutine, LivesInMemoryOfTheHost) {
  class Placed final : public weft::HostCoroutine {
   public:
    [[nodiscard]] int references() const noexcept { return references_; }

   private:
    void run_body() override { ran_ = true; }
    [[nodiscard]] bool is_held_by_host() const noexcept override { return true; }
    void host_retain() noexcept override { ++references_; }
    void host_release() noexcept override { --references_; }
    [[nodiscard]] void* host_object() const noexcept override { return nullptr; }
    int references_ = 1;
    bool ran_ = false;
  };
  alignas(Placed) std::byte memory[sizeof(Placed)];
  weft::testing::run([&] {
    auto* placed = new (memory) Placed;
    placed->enter();
    weft::await(static_cast<weft::Event&>(*placed));
    EXPECT_EQ(placed->references(), 1);
    placed->~Placed();
  });
}

TEST(HostCoroutine, WhoseErrorWasTakenByALateWaitIsRead) {
  toy::run([](Heap& heap) {
    auto coroutine =
        heap.make<Coroutine>([&heap](Coroutine& self) { self.throw_error(*heap.make<Value>()); });
    coroutine->enter();
    while (!coroutine->is_completed()) weft::suspend();
    std::exception_ptr error;
    EXPECT_EQ(weft::park(*coroutine, error), weft::Woken::event);
    EXPECT_NE(toy::object_in(error), nullptr);
    coroutine.reset();
    weft::suspend();
  });
}

TEST(HostCoroutine, KeepsItsErrorForTheHostWhenTheLastHandleGoes) {
  toy::run([](Heap& heap) {
    auto coroutine =
        heap.make<Coroutine>([&heap](Coroutine& self) { self.throw_error(*heap.make<Value>()); });
    coroutine->enter();
    {
      const auto handle = weft::AnyCoroutine::holding(*coroutine);
      while (!coroutine->is_completed()) weft::suspend();
    }
    weft::suspend();
    EXPECT_THROW(coroutine->throw_outcome(), toy::Thrown);
  });
}

TEST(HostCoroutine, IsHeldByAHandleToo) {
  toy::run([](Heap& heap) {
    auto coroutine =
        heap.make<Coroutine>([&heap](Coroutine& self) { self.throw_error(*heap.make<Value>()); });
    coroutine->enter();
    const auto handle = weft::AnyCoroutine::holding(*coroutine);
    coroutine.reset();
    while (!handle.is_completed()) weft::suspend();
    EXPECT_THROW(handle.base().throw_outcome(), toy::Thrown);
  });
}

TEST(HostCoroutine, IsNotHeldByObservers) {
  toy::run([](Heap& heap) {
    auto scope = weft::Scope::create();
    auto sibling = scope->spawn([] { weft::delay(1h); });
    auto coroutine =
        heap.make<Coroutine>([&heap](Coroutine& self) { self.throw_error(*heap.make<Value>()); });
    coroutine->enter(scope.get());
    bool done = false;
    coroutine->on_finally([&](weft::CoroutineBase&) {
      weft::delay(1s);
      done = true;
    });
    const auto looking = weft::AnyCoroutine::observing(*coroutine);
    coroutine.reset();
    EXPECT_THROW(scope->await_completion({}), toy::Thrown);
    EXPECT_TRUE(sibling.is_cancelled());
    while (!done) weft::delay(1s);
  });
}

TEST(HostCoroutine, ThatIsCancelledBeforeItIsEnteredDoesNotRun) {
  toy::run([](Heap& heap) {
    bool ran = false;
    auto coroutine = heap.make<Coroutine>([&](Coroutine&) { ran = true; });
    coroutine->cancel("not wanted");
    coroutine->enter();
    std::exception_ptr error;
    EXPECT_EQ(weft::park(*coroutine, error), weft::Woken::event);
    EXPECT_EQ(weft::describe(error), "cancelled: not wanted");
    EXPECT_FALSE(ran);
    EXPECT_TRUE(coroutine->is_cancelled());
  });
}

TEST(HostCoroutine, TakesFinallyHandlersWhenItIsEntered) {
  toy::run([](Heap& heap) {
    auto coroutine = heap.make<Coroutine>([](Coroutine&) {});
    EXPECT_THROW(coroutine->on_finally([](weft::CoroutineBase&) {}), weft::MisuseError);
    EXPECT_EQ(coroutine->references(), 1U);
  });
}

/// A wait drops the last reference after it has ended and before it returns its outcome: the
/// destructor of the host must not wait there.
TEST(HostCoroutine, IsReleasedByAWaitWhereTheHostMayNotRun) {
  toy::run([](Heap& heap) {
    auto coroutine = heap.make<Coroutine>([&heap](Coroutine& self) {
      EXPECT_TRUE(self.yield());
      self.throw_error(*heap.make<Value>());
    });
    coroutine->enter();
    weft::Event& event = *coroutine;
    weft::Waker& waker = weft::current().base().waker().renew();
    waker.resume_when(event);
    coroutine.reset();
    std::exception_ptr error;
    EXPECT_EQ(weft::park(waker, error), weft::Woken::event);
    EXPECT_NE(toy::object_in(error), nullptr);
    EXPECT_EQ(heap.kept(), 1U);
  });
}

/// Producer and consumer in the language, under every schedule and cancellation.
TEST(HostCoroutine, EndsUnderEveryScheduleAndCancellation) {
  weft_test::expect_all_schedules([] {
    Heap heap;
    {
      auto future = heap.make<toy::Future>();
      auto reader = heap.make<Coroutine>([&](Coroutine& self) {
        if (!self.await(*future)) return;
        if (future->outcome().stored() != 7) weft::testing::fail("another value");
      });
      auto writer = heap.make<Coroutine>([&](Coroutine& self) {
        if (self.yield()) return future->complete(weft::Place{}, 7);
        future->cancel("the writer was cancelled", weft::Place{});
      });
      reader->enter();
      writer->enter();
      std::exception_ptr error;
      for (Coroutine* each : {writer.get(), reader.get()}) {
        while (!each->is_completed()) {
          if (weft::park(*each, error) == weft::Woken::cancelled) (void)weft::take_cancellation();
        }
        // If the writer was cancelled before its start, it has not completed the future.
        future->cancel_by_reader("no writer", weft::Place{});
      }
    }
    heap.sweep();
    if (heap.size() > 2) weft::testing::fail("objects are left");
  });
}

}  // namespace
