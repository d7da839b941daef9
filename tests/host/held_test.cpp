#include "weft/extend/held.hpp"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "host/toy.hpp"
#include "weft/testing.hpp"
#include "weft/weft.hpp"

// The references that objects of the runtime hold for a host, as the collector of the toy language
// sees them.
namespace {

using toy::Handle;
using toy::Heap;
using Any = Handle<toy::Object>;
using See = std::function<void(toy::Object&)>;

Any any(toy::Object& object) { return Any{object}; }

/// An object of the language that contains an object of the runtime.
template <class Inside>
class With : public toy::Object {
 public:
  template <class... Args>
  explicit With(Heap& heap, Args&&... args) : Object{heap}, inside{std::in_place, args...} {}
  ~With() override { inside.reset(); }
  std::optional<Inside> inside;

 private:
  void see(const See& seen) const override {
    Object::see(seen);
    if (inside) weft::for_each_held(*inside, [&](const Any& value) { seen(*value); });
  }
  void clear_references() noexcept override {
    Object::clear_references();
    inside.reset();
  }
};

class Channel : public toy::Hosted<weft::HostChannel<Any>> {
 public:
  explicit Channel(Heap& heap, std::size_t capacity) : Hosted{heap, capacity} {}

 private:
  void see(const See& seen) const override {
    weft::for_each_held(*this, [&](const Any& value) { seen(*value); });
  }
  void clear_references() noexcept override {
    while (const std::optional<Any> value = try_recv()) continue;
  }
};

class Future : public toy::Hosted<weft::HostFuture<Any>> {
 public:
  explicit Future(Heap& heap) : Hosted{heap} {}

 private:
  void see(const See& seen) const override {
    weft::for_each_held(static_cast<const weft::HostFuture<Any>&>(*this),
                        [&](const Any& value) { seen(*value); });
  }
  void clear_references() noexcept override { taken_ = take(); }
  Any taken_;
};

std::vector<toy::Object*> held_by(const auto& holder) {
  std::vector<toy::Object*> found;
  weft::for_each_held(holder, [&](const Any& value) { found.push_back(value.get()); });
  return found;
}

TEST(HeldValues, OfAChannelAreThoseInItsBufferOldestFirst) {
  toy::run([](Heap& heap) {
    weft::Channel<Any> channel{3};
    std::vector<Any> made;
    for (int i = 0; i < 5; ++i) made.push_back(any(*heap.make<toy::Value>()));
    for (int i = 0; i < 3; ++i) channel.send(made[static_cast<std::size_t>(i)]);
    EXPECT_EQ(held_by(channel),
              (std::vector<toy::Object*>{made[0].get(), made[1].get(), made[2].get()}));
    static_cast<void>(channel.recv());
    static_cast<void>(channel.recv());
    channel.send(made[3]);  // the ring buffer wraps around
    channel.send(made[4]);
    EXPECT_EQ(held_by(channel),
              (std::vector<toy::Object*>{made[2].get(), made[3].get(), made[4].get()}));
  });
}

TEST(HeldValues, OfAChannelAreNotThoseOfItsSenders) {
  toy::run([](Heap& heap) {
    weft::Channel<Any> channel;
    auto value = heap.make<toy::Value>();
    auto sender = weft::spawn([&] { channel.send(any(*value)); });
    weft::suspend();
    EXPECT_EQ(channel.size(), 1U);
    EXPECT_TRUE(held_by(channel).empty()) << "the sender's stack has it";
    static_cast<void>(channel.recv());
    weft::await(sender);
  });
}

TEST(HeldValues, LetACycleThroughAChannelBeCollected) {
  toy::run([](Heap& heap) {
    auto channel = heap.make<Channel>(1U);
    auto value = heap.make<toy::Value>();
    value->add_field(*channel);
    channel->send(any(*value));
    channel.reset();
    EXPECT_EQ(heap.collect(), 0U) << "the script refers to the value";
    EXPECT_EQ(heap.size(), 2U);
    value.reset();
    EXPECT_EQ(heap.collect(), 2U);
    heap.sweep();
    EXPECT_EQ(heap.size(), 0U);
  });
}

TEST(HeldValues, LetACycleThroughAFutureBeCollected) {
  toy::run([](Heap& heap) {
    auto future = heap.make<Future>();
    auto value = heap.make<toy::Value>();
    value->add_field(*future);
    EXPECT_TRUE(held_by(static_cast<weft::HostFuture<Any>&>(*future)).empty()) << "it is pending";
    future->complete(weft::Place::here(), any(*value));
    future->ignore();
    value.reset();
    EXPECT_EQ(heap.collect(), 0U);
    future.reset();
    EXPECT_EQ(heap.collect(), 2U);
  });
}

TEST(HeldValues, OfAFutureThatIsSharedAreNoneOfThisHandle) {
  toy::run([](Heap& heap) {
    auto value = heap.make<toy::Value>();
    std::optional<weft::Promise<Any>> promise{std::in_place};
    weft::Future<Any> future = promise->future();
    promise->complete(any(*value));
    EXPECT_TRUE(held_by(future).empty()) << "the promise refers to it";
    promise.reset();
    EXPECT_EQ(held_by(future).size(), 1U);
    {
      const weft::Future<Any> another = future;
      EXPECT_TRUE(held_by(future).empty());
    }
    EXPECT_EQ(held_by(future).size(), 1U);
    EXPECT_TRUE(held_by(weft::Future<Any>{}).empty());
    future.ignore();
  });
}

TEST(HeldValues, LetACycleThroughAHandleOfAFutureBeCollected) {
  toy::run([](Heap& heap) {
    auto value = heap.make<toy::Value>();
    auto holder = heap.make<With<weft::Future<Any>>>(weft::Future<Any>::completed(any(*value)));
    holder->inside->ignore();
    value->add_field(*holder);
    value.reset();
    EXPECT_EQ(heap.collect(), 0U);
    holder.reset();
    EXPECT_EQ(heap.collect(), 2U);
  });
}

/// A task body of a host, with a captured value.
struct Body {
  Any captured;
  Any operator()() const {
    weft::suspend();
    return captured;
  }
};

TEST(HeldValues, OfAGroupAreTheResultsThatItKeeps) {
  toy::run([](Heap& heap) {
    weft::TaskGroup<Any> group;
    auto value = heap.make<toy::Value>();
    group.spawn(Body{any(*value)});
    EXPECT_TRUE(held_by(group).empty()) << "the task runs";
    weft::await(static_cast<weft::Event&>([&]() -> weft::TaskGroup<Any>& {
      group.close();
      return group;
    }()));
    EXPECT_EQ(held_by(group), std::vector<toy::Object*>{value.get()});
    {
      weft::Future<weft::TaskResults<Any>> all = group.all();
      all.ignore();
      EXPECT_TRUE(held_by(group).empty()) << "a future of the group has them too";
    }
    EXPECT_EQ(held_by(group).size(), 1U);
  });
}

TEST(HeldValues, OfASetAreTheResultsThatWereNotDelivered) {
  toy::run([](Heap& heap) {
    weft::TaskSet<Any> set;
    auto value = heap.make<toy::Value>();
    for (int i = 0; i < 2; ++i) set.spawn(Body{any(*value)});
    while (!set.is_finished()) weft::suspend();
    EXPECT_EQ(held_by(set).size(), 2U);
    static_cast<void>(set.join_next().await());
    EXPECT_EQ(held_by(set).size(), 1U);
    set.close();
  });
}

TEST(HeldValues, OfAGroupAreTheBodiesThatAreQueued) {
  toy::run([](Heap& heap) {
    weft::TaskGroup<Any> group{{.concurrency = 1}};
    auto first = heap.make<toy::Value>();
    auto second = heap.make<toy::Value>();
    group.spawn(Body{any(*first)});
    group.spawn(Body{any(*second)});
    group.spawn([other = any(*first)] { return other; });
    std::vector<toy::Object*> found;
    weft::for_each_queued<Body>(group,
                                [&](const Body& body) { found.push_back(body.captured.get()); });
    EXPECT_EQ(found, std::vector<toy::Object*>{second.get()})
        << "the first one runs, the last is of another class";
    while (!group.is_finished()) weft::suspend();
    found.clear();
    weft::for_each_queued<Body>(group,
                                [&](const Body& body) { found.push_back(body.captured.get()); });
    EXPECT_TRUE(found.empty());
    group.close();
  });
}

TEST(HeldValues, LetACycleThroughTheResultOfATaskBeCollected) {
  toy::run([](Heap& heap) {
    auto holder = heap.make<With<weft::TaskGroup<Any>>>();
    auto value = heap.make<toy::Value>();
    value->add_field(*holder);
    holder->inside->spawn(Body{any(*value)});
    value.reset();
    while (!holder->inside->is_finished()) weft::suspend();
    EXPECT_EQ(heap.collect(), 0U);
    holder.reset();
    EXPECT_EQ(heap.collect(), 2U);
  });
}

TEST(HeldValues, OfAPoolAreItsIdleResources) {
  toy::run([](Heap& heap) {
    weft::Pool<Any> pool{{.min = 2, .max = 2, .create = [&] {
                            return std::optional<Any>{any(*heap.make<toy::Value>())};
                          }}};
    EXPECT_EQ(held_by(pool).size(), 2U);
    {
      const weft::Lease<Any> lease = pool.acquire();
      ASSERT_EQ(held_by(pool).size(), 1U);
      EXPECT_NE(held_by(pool).front(), lease->get());
    }
    EXPECT_EQ(held_by(pool).size(), 2U);
  });
}

TEST(HeldValues, OfAContextAreThoseOfTheTypeAskedFor) {
  toy::run([](Heap& heap) {
    auto value = heap.make<toy::Value>();
    weft::ValueKey<Any> key;
    weft::Values& values = weft::coroutine_values();
    values.set(key, any(*value)).set("name", any(*value)).set("number", 7);
    std::size_t count = 0;
    weft::for_each_held<Any>(values, [&](const Any& held) {
      ++count;
      EXPECT_EQ(held.get(), value.get());
    });
    EXPECT_EQ(count, 2U);
    values.unset(key).unset("name").unset("number");
  });
}

}  // namespace
