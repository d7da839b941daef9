#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Where suspending is not allowed, the error of an operation that would have to wait names the
// function that the program has called.
namespace refusal_test {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::quiet;
using weft_test::text;

/// A call that has to wait, and needs no runtime before that.
struct Call {
  const char* name;
  void (*call)();
};

template <class F>
void with_pool(F use) {
  weft::Pool<int> pool{{.max = 1, .create = [] { return 1; }}};
  const weft::Lease<int> lease = pool.acquire();
  use(pool);
}

template <class F>
void with_pipe(F use) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(::pipe(ends), 0);
  weft::Pipe reader = weft::Pipe::adopt(ends[0]);
  weft::Pipe writer = weft::Pipe::adopt(ends[1]);
  use(reader, writer);
}

/// A source that suspends for its only member.
class Source {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = weft::Future<int>;
    using difference_type = std::ptrdiff_t;
    using pointer = const value_type*;
    using reference = value_type;
    explicit Iterator(bool at_end = false) : at_end_{at_end} {}
    value_type operator*() const { return weft::Future<int>::completed(1); }
    Iterator& operator++() {
      at_end_ = true;
      return *this;
    }
    void operator++(int) { at_end_ = true; }
    bool operator==(const Iterator& other) const { return at_end_ == other.at_end_; }

   private:
    bool at_end_;
  };
  [[nodiscard]] Iterator begin() const { return Iterator{}; }
  [[nodiscard]] Iterator end() const { return Iterator{true}; }
};

const std::vector<Call>& calls() {
  static const std::vector<Call> all = {
      {"suspend()", [] { weft::suspend(); }},
      {"delay()", [] { weft::delay(1ms); }},
      {"delay_until()", [] { weft::delay_until(weft::now() + 1ms); }},
      {"await()",
       [] {
         Doorbell bell;
         weft::await(bell);
       }},
      {"await()",
       [] {
         Doorbell bell;
         Doorbell token;
         weft::await(bell, token);
       }},
      {"await()",
       [] {
         weft::Promise<int> promise;
         const auto future = promise.future();
         future.ignore();
         weft::await(future);
       }},
      {"await_all()",
       [] {
         weft::Promise<int> promise;
         weft::await_all(std::vector{promise.future()});
       }},
      {"await_settled()",
       [] {
         weft::Promise<int> promise;
         weft::await_settled(std::vector{promise.future()});
       }},
      {"await_any()",
       [] {
         weft::Promise<int> promise;
         weft::await_any(std::vector{promise.future()});
       }},
      {"await_any_of()",
       [] {
         weft::Promise<int> promise;
         weft::await_any_of(1, std::vector{promise.future()});
       }},
      {"await_any_of_settled()",
       [] {
         weft::Promise<int> promise;
         weft::await_any_of_settled(1, std::vector{promise.future()});
       }},
      {"await_first_success()",
       [] {
         weft::Promise<int> promise;
         weft::await_first_success(std::vector{promise.future()});
       }},
      {"select()",
       [] {
         Doorbell bell;
         weft::select(weft::on(bell, [] {}));
       }},
      {"Channel::recv()",
       [] {
         weft::Channel<int> channel{1};
         channel.recv();
       }},
      {"Channel::recv()",
       [] {
         weft::Channel<int> channel{1};
         Doorbell token;
         channel.recv(token);
       }},
      {"Channel::recv()",
       [] {
         weft::Channel<int> channel{1};
         for (int value : channel) static_cast<void>(value);
       }},
      {"Channel::send()",
       [] {
         weft::Channel<int> channel{0};
         channel.send(1);
       }},
      {"SharedMutex::lock()",
       [] {
         weft::SharedMutex mutex;
         mutex.lock_shared();
         mutex.lock();
       }},
      {"Semaphore::acquire()",
       [] {
         weft::Semaphore semaphore{0};
         semaphore.acquire();
       }},
      {"WaitGroup::wait()",
       [] {
         weft::WaitGroup group;
         group.add();
         group.wait();
       }},
      {"Barrier::arrive_and_wait()",
       [] {
         weft::Barrier barrier{2};
         barrier.arrive_and_wait();
       }},
      {"RateLimiter::acquire()",
       [] {
         weft::RateLimiter limiter{1, 1h};
         limiter.acquire();
         limiter.acquire();
       }},
      {"ConditionVariable::wait()",
       [] {
         weft::Mutex mutex;
         weft::ConditionVariable changed;
         std::unique_lock lock{mutex};
         changed.wait(lock);
       }},
      {"Pool::acquire()",
       [] { with_pool([](weft::Pool<int>& pool) { static_cast<void>(pool.acquire()); }); }},
      {"with_timeout()", [] { weft::with_timeout(1ms, [] {}); }},
      {"resolve()", [] { static_cast<void>(weft::resolve("localhost", "")); }},
      {"exec()", [] { weft::exec({"true"}); }},
      {"blocking()", [] { weft::blocking([] {}); }},
      {"iterate()", [] { weft::iterate(std::array{1}, {}, [](int) {}); }},
      {"with_scope()", [] { weft::with_scope([](weft::Scope&) {}); }},
      {"File::open()", [] { static_cast<void>(weft::File::open("/dev/null")); }},
      {"fs::stat()", [] { static_cast<void>(weft::fs::stat("/")); }},
      {"Stream::read_line()",
       [] { with_pipe([](weft::Pipe& reader, weft::Pipe&) { reader.read_line(); }); }},
      {"Stream::read_all()",
       [] { with_pipe([](weft::Pipe& reader, weft::Pipe&) { reader.read_all(); }); }},
      {"Stream::wait_readable()",
       [] { with_pipe([](weft::Pipe& reader, weft::Pipe&) { reader.wait_readable(); }); }},
      {"Stream::write_all()",
       [] {
         with_pipe([](weft::Pipe&, weft::Pipe& writer) {
           writer.write_all(weft::ConstBytes{std::string(std::size_t{1} << 20U, 'x')});
         });
       }},
      {"UdpSocket::receive_from()",
       [] {
         auto socket = weft::UdpSocket::bind("127.0.0.1", 0);
         std::byte byte{};
         static_cast<void>(socket.receive_from(weft::Bytes{&byte, 1}));
       }},
      {"Listener::accept()",
       [] { static_cast<void>(weft::Listener::tcp("127.0.0.1", 0).accept()); }},
      {"ThreadChannel::recv()",
       [] {
         weft::ThreadChannel<int> channel{1};
         channel.recv();
       }},
      {"ThreadChannel::send()",
       [] {
         weft::ThreadChannel<int> channel{1};
         channel.send(1);
         channel.send(2);
       }},
  };
  return all;
}

// R-SUS-11
TEST(Refusal, NamesWhatWasCalledOutsideARuntime) {
  std::thread{[] {
    for (const Call& call : calls()) {
      const auto error = error_of(call.call);
      EXPECT_TRUE(is<weft::MisuseError>(error)) << call.name << ": " << text(error);
      EXPECT_THAT(text(error), HasSubstr(call.name));
    }
  }}.join();  // this thread never had one
}

// R-SUS-11: what needs a runtime although it need not wait, and what a microtask may do.
TEST(Refusal, NamesWhatSpawnsOutsideARuntime) {
  std::thread{[] {
    EXPECT_THAT(text(error_of([] { weft::await_settled(Source{}); })),
                HasSubstr("await_settled() needs a runtime"));
    weft::Promise<int> promise;
    const auto future = promise.future();
    future.ignore();
    EXPECT_THAT(text(error_of([&] { static_cast<void>(future.map([](int i) { return i; })); })),
                HasSubstr("Future::map() needs a runtime"));
    EXPECT_THAT(text(error_of([&] { static_cast<void>(future.finally([] {})); })),
                HasSubstr("Future::finally() needs a runtime"));
  }}.join();
}

// R-SUS-11, R-MT-9
TEST(Refusal, NamesWhatWasCalledWhereNothingMaySuspend) {
  weft::run(
      [] {
        weft::post_microtask([] {
          for (const Call& call : calls()) {
            const auto error = error_of(call.call);
            EXPECT_TRUE(is<weft::MisuseError>(error)) << call.name << ": " << text(error);
            EXPECT_THAT(text(error), HasSubstr(call.name));
          }
        });
        weft::suspend();
      },
      quiet());
}

// R-SUS-11: another coroutine holds the locks, because locking one's own lock is another misuse.
TEST(Refusal, NamesTheLock) {
  weft::testing::run([] {
    weft::Mutex mutex;
    weft::SharedMutex shared;
    weft::Once once;
    Doorbell bell;
    auto holder = weft::spawn([&] {
      const std::lock_guard lock{mutex};
      const std::lock_guard shared_lock{shared};
      once.call([&] { weft::await(bell); });
    });
    weft::suspend();
    weft::post_microtask([&] {
      EXPECT_THAT(text(error_of([&] { mutex.lock(); })), HasSubstr("Mutex::lock()"));
      EXPECT_THAT(text(error_of([&] { shared.lock_shared(); })),
                  HasSubstr("SharedMutex::lock_shared()"));
      EXPECT_THAT(text(error_of([&] { once.call([] {}); })), HasSubstr("Once::call()"));
    });
    weft::suspend();
    bell.ring();
    weft::await(holder);
  });
}

// R-SUS-11
TEST(Refusal, NamesTheWaitForAScopeOrAGroup) {
  weft::testing::run([] {
    Doorbell bell;
    auto scope = weft::Scope::inherit();
    scope->spawn([&] { weft::await(bell); });
    weft::TaskGroup<void> group{{.concurrency = 1, .queue_limit = 1}};
    group.spawn([&] { weft::await(bell); });
    group.spawn([] {});
    weft::TaskGroup<void> closed;
    closed.spawn([&] { weft::await(bell); });
    closed.close();
    weft::suspend();
    weft::post_microtask([&] {
      EXPECT_THAT(text(error_of([&] { scope->await_completion(weft::Token{}); })),
                  HasSubstr("Scope::await_completion()"));
      EXPECT_THAT(text(error_of([&] { group.spawn([] {}); })), HasSubstr("TaskGroup::spawn()"));
      EXPECT_THAT(text(error_of([&] { closed.await_completion(); })),
                  HasSubstr("await_completion()"));
    });
    weft::suspend();
    bell.ring();
  });
}

}  // namespace refusal_test
