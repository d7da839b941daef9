#include "contract/waits.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "connection.hpp"
#include "held_lookups.hpp"
#include "support.hpp"
#include "temporary.hpp"

// Makes each operation wait, and closes or destroys the object that it waits for.
namespace weft_test {
namespace operations {

using namespace std::chrono_literals;

/// A Waiting that owns `own` and passes the object to `wait` and `end`.
template <class Own, class W, class E>
Waiting waiting(std::shared_ptr<Own> own, W wait, E end) {
  Own* const raw = own.get();
  return {[raw, wait](weft::Token token) { wait(*raw, token); }, [raw, end] { end(*raw); },
          std::move(own)};
}
template <class Own, class W>
Waiting waiting(std::shared_ptr<Own> own, W wait) {
  Own* const raw = own.get();
  return {[raw, wait](weft::Token token) { wait(*raw, token); }, {}, std::move(own)};
}

/// A lock or another primitive that can be destroyed while a coroutine waits for it.
template <class Lock>
struct Destroyable {
  std::optional<Lock> lock;
  static void destroy(Destroyable& own) { own.lock.reset(); }
};

Waiting suspend() {
  return {[](weft::Token /*none*/) {
            for (;;) weft::suspend();
          },
          {},
          {}};
}

Waiting delay() {
  return {[](weft::Token /*none*/) { weft::delay(1h); }, {}, {}};
}

Waiting await_event() {
  auto own = std::make_shared<Destroyable<Doorbell>>();
  own->lock.emplace();
  return waiting(
      own, [](auto& bell, weft::Token token) { weft::await(*bell.lock, token); }, own->destroy);
}

/// A coroutine that waits until it is cancelled.
weft::Coroutine<void> endless() {
  auto coroutine = weft::spawn([] {
    Doorbell never;
    weft::await(never);
  });
  weft::suspend();  // lets it begin
  return coroutine;
}

struct Endless {
  weft::Coroutine<void> coroutine = endless();
  ~Endless() { coroutine.cancel(); }
};

Waiting await_coroutine() {
  return waiting(
      std::make_shared<Endless>(),
      [](Endless& own, weft::Token token) { weft::await(own.coroutine, token); },
      [](Endless& own) { own.coroutine.cancel(); });
}

struct Promised {
  std::optional<weft::Promise<int>> promise{std::in_place};
  weft::Future<int> future = promise->future();
  Promised() { future.ignore(); }
};

Waiting await_future() {
  return waiting(
      std::make_shared<Promised>(),
      [](Promised& own, weft::Token token) { weft::await(own.future, token); },
      [](Promised& own) { own.promise.reset(); });
}

Waiting await_all() {
  return waiting(
      std::make_shared<Promised>(),
      [](Promised& own, weft::Token token) {
        weft::await_all(std::vector<weft::Future<int>>{own.future}, token);
      },
      [](Promised& own) { own.promise.reset(); });
}

using IntChannel = Destroyable<weft::Channel<int>>;

Waiting channel_recv() {
  auto own = std::make_shared<IntChannel>();
  own->lock.emplace(1);
  return waiting(
      own, [](IntChannel& channel, weft::Token token) { channel.lock->recv(token); }, own->destroy);
}

Waiting channel_send() {
  auto own = std::make_shared<IntChannel>();
  own->lock.emplace(0);
  return waiting(
      own, [](IntChannel& channel, weft::Token token) { channel.lock->send(1, token); },
      own->destroy);
}

Waiting select() {
  auto own = std::make_shared<IntChannel>();
  own->lock.emplace(1);
  return waiting(
      own,
      [](IntChannel& channel, weft::Token /*none*/) {
        weft::select(weft::on_recv(*channel.lock, [](int) {}));
      },
      own->destroy);
}

Waiting mutex() {
  auto own = std::make_shared<Destroyable<weft::Mutex>>();
  own->lock.emplace();
  own->lock->lock();
  return waiting(
      own, [](auto& mutex, weft::Token token) { mutex.lock->lock(token); }, own->destroy);
}

Waiting shared_mutex_lock() {
  auto own = std::make_shared<Destroyable<weft::SharedMutex>>();
  own->lock.emplace();
  own->lock->lock();
  return waiting(
      own, [](auto& mutex, weft::Token token) { mutex.lock->lock(token); }, own->destroy);
}

Waiting shared_mutex_lock_shared() {
  auto own = std::make_shared<Destroyable<weft::SharedMutex>>();
  own->lock.emplace();
  own->lock->lock();
  return waiting(
      own, [](auto& mutex, weft::Token token) { mutex.lock->lock_shared(token); }, own->destroy);
}

Waiting semaphore() {
  auto own = std::make_shared<Destroyable<weft::Semaphore>>();
  own->lock.emplace(0);
  return waiting(
      own, [](auto& semaphore, weft::Token token) { semaphore.lock->acquire(token); },
      own->destroy);
}

Waiting condition_variable() {
  auto own = std::make_shared<Destroyable<weft::ConditionVariable>>();
  own->lock.emplace();
  return waiting(
      own,
      [](auto& changed, weft::Token token) {
        weft::Mutex mutex;
        std::unique_lock lock{mutex};
        changed.lock->wait(lock, token);
      },
      own->destroy);
}

Waiting wait_group() {
  auto own = std::make_shared<Destroyable<weft::WaitGroup>>();
  own->lock.emplace();
  own->lock->add();
  return waiting(
      own, [](auto& group, weft::Token token) { group.lock->wait(token); }, own->destroy);
}

Waiting barrier() {
  auto own = std::make_shared<Destroyable<weft::Barrier>>();
  own->lock.emplace(2);
  return waiting(
      own, [](auto& barrier, weft::Token token) { barrier.lock->arrive_and_wait(token); },
      own->destroy);
}

Waiting once() {
  struct Own : Destroyable<weft::Once> {
    weft::Coroutine<void> first;
    Own() {
      lock.emplace();
      first = weft::spawn([this] {
        Doorbell never;
        lock->call([&] { weft::await(never); });
      });
      weft::suspend();  // `first` is in the body of call()
    }
    ~Own() { first.cancel(); }
  };
  auto own = std::make_shared<Own>();
  return waiting(
      own, [](Own& once, weft::Token token) { once.lock->call([] {}, token); }, own->destroy);
}

Waiting rate_limiter() {
  auto own = std::make_shared<Destroyable<weft::RateLimiter>>();
  own->lock.emplace(1, 1h);
  own->lock->acquire();
  return waiting(
      own, [](auto& limiter, weft::Token token) { limiter.lock->acquire(token); }, own->destroy);
}

Waiting pool() {
  struct Own {
    weft::Pool<int> pool{{.max = 1, .create = [] { return 1; }}};
    std::optional<weft::Lease<int>> lease = pool.acquire();
  };
  return waiting(
      std::make_shared<Own>(),
      [](Own& own, weft::Token token) { static_cast<void>(own.pool.acquire(token)); },
      [](Own& own) { own.pool.close(); });
}

Waiting scope() {
  struct Own {
    weft::Ref<weft::Scope> scope = weft::Scope::inherit();
    Own() {
      scope->spawn([] {
        Doorbell never;
        weft::await(never);
      });
    }
    ~Own() { scope->cancel(); }
  };
  return waiting(
      std::make_shared<Own>(),
      [](Own& own, weft::Token token) { own.scope->await_completion(token); },
      [](Own& own) { own.scope->cancel(); });
}

struct Group {
  weft::TaskGroup<int> group;
  Group() {
    group.spawn([]() -> int {
      Doorbell never;
      weft::await(never);
      return 0;
    });
  }
};

Waiting task_group_completion() {
  auto own = std::make_shared<Group>();
  own->group.close();
  return waiting(own, [](Group& tasks, weft::Token /*none*/) { tasks.group.await_completion(); });
}

Waiting task_group_all() {
  auto own = std::make_shared<Group>();
  own->group.close();
  return waiting(
      own, [](Group& tasks, weft::Token token) { tasks.group.all().await(token); },
      [](Group& tasks) { tasks.group.cancel(); });
}

Waiting iterate() {
  return {[](weft::Token /*none*/) {
            weft::iterate(std::array{1, 2}, {.concurrency = 2}, [](int) {
              Doorbell never;
              weft::await(never);
            });
          },
          {},
          {}};
}

struct Connection {
  std::pair<weft::TcpStream, weft::TcpStream> ends = connected();
  static void close(Connection& own) { own.ends.first.close(); }
};

Waiting stream_read() {
  return waiting(
      std::make_shared<Connection>(),
      [](Connection& own, weft::Token token) {
        char byte = 0;
        own.ends.first.read_some(weft::Bytes{&byte, 1}, token);
      },
      &Connection::close);
}

Waiting stream_write() {
  return waiting(
      std::make_shared<Connection>(),
      [](Connection& own, weft::Token token) {
        own.ends.first.write_all(std::string(8'000'000, 'x'), token);
      },
      &Connection::close);
}

Waiting accept() {
  struct Own {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
  };
  return waiting(
      std::make_shared<Own>(),
      [](Own& own, weft::Token token) { static_cast<void>(own.listener.accept(token)); },
      [](Own& own) { own.listener.close(); });
}

Waiting receive_from() {
  struct Own {
    weft::UdpSocket socket = weft::UdpSocket::bind("127.0.0.1", 0);
  };
  return waiting(
      std::make_shared<Own>(),
      [](Own& own, weft::Token token) {
        char byte = 0;
        own.socket.receive_from(weft::Bytes{&byte, 1}, token);
      },
      [](Own& own) { own.socket.close(); });
}

Waiting lookup() {
  return waiting(std::make_shared<HeldLookups>(), [](HeldLookups& /*own*/, weft::Token token) {
    static_cast<void>(weft::resolve("a.held", "", token));
  });
}

Waiting exec() {
  return {[](weft::Token token) { weft::exec({"sleep", "1000"}, {}, token); }, {}, {}};
}

Waiting process() {
  struct Own {
    weft::Process process = weft::Process::start({"sleep", "1000"});
  };
  return waiting(std::make_shared<Own>(),
                 [](Own& own, weft::Token token) { own.process.wait(token); });
}

Waiting file_watcher() {
  struct Own {
    TemporaryDirectory directory;
    weft::FileWatcher watcher{directory / ""};
  };
  return waiting(
      std::make_shared<Own>(),
      [](Own& own, weft::Token token) { static_cast<void>(own.watcher.next(token)); },
      [](Own& own) { own.watcher.close(); });
}

Waiting signal() {
  return {[](weft::Token token) { weft::await(weft::signal(SIGUSR1, token)); }, {}, {}};
}

struct Threads {
  weft::ThreadChannel<int> channel{1};
  static void close(Threads& own) { own.channel.close(); }
};

Waiting thread_channel_recv() {
  return waiting(
      std::make_shared<Threads>(), [](Threads& own, weft::Token token) { own.channel.recv(token); },
      &Threads::close);
}

Waiting thread_channel_send() {
  auto own = std::make_shared<Threads>();
  own->channel.send(1);
  return waiting(
      own, [](Threads& threads, weft::Token token) { threads.channel.send(2, token); },
      &Threads::close);
}

Waiting submit() {
  struct Own {
    weft::ThreadChannel<int> channel{1};
    weft::ThreadPool pool{{.workers = 1, .queue = 1}};
    weft::Future<int> running = pool.submit([this] { return channel.recv(); });
    weft::Future<int> queued;
    Own() {
      while (pool.pending() > 0) weft::delay(100us);  // until the worker has taken the task
      queued = pool.submit([] { return 1; });
      running.ignore();
      queued.ignore();
    }
    ~Own() { channel.close(); }
  };
  return waiting(
      std::make_shared<Own>(),
      [](Own& own, weft::Token token) { own.pool.submit([] { return 2; }, token).ignore(); },
      [](Own& own) { own.pool.close(); });
}

Waiting blocking() {
  return {[](weft::Token /*none*/) { weft::blocking([] { std::this_thread::sleep_for(20ms); }); },
          {},
          {}};
}

const std::vector<Wait>& table() {
  using enum Endings;
  static const std::vector<Wait> all = {
      {"suspend", by_itself, &suspend},
      {"delay", by_itself, &delay},
      {"await(event)", any, &await_event},
      {"await(coroutine)", any, &await_coroutine},
      {"await(future)", any, &await_future},
      {"await_all", any, &await_all},
      {"select", alone, &select},
      {"Channel::send", any, &channel_send},
      {"Channel::recv", any, &channel_recv},
      {"Mutex::lock", any, &mutex},
      {"SharedMutex::lock", any, &shared_mutex_lock},
      {"SharedMutex::lock_shared", any, &shared_mutex_lock_shared},
      {"Semaphore::acquire", any, &semaphore},
      {"ConditionVariable::wait", any, &condition_variable},
      {"WaitGroup::wait", any, &wait_group},
      {"Barrier::arrive_and_wait", any, &barrier},
      {"Once::call", any, &once},
      {"RateLimiter::acquire", outside, &rate_limiter},
      {"Pool::acquire", any, &pool},
      {"Scope::await_completion", any, &scope},
      {"TaskGroup::await_completion", alone, &task_group_completion},
      {"TaskGroup::all().await", any, &task_group_all},
      {"iterate", alone, &iterate},
      {"Stream::read_some", outside, &stream_read},
      {"Stream::write_all", outside, &stream_write},
      {"Listener::accept", outside, &accept},
      {"UdpSocket::receive_from", outside, &receive_from},
      {"resolve", outside, &lookup},
      {"exec", outside, &exec},
      {"Process::wait", outside, &process},
      {"FileWatcher::next", outside, &file_watcher},
      {"await(signal(n, token))", outside, &signal},
      {"ThreadChannel::send", outside, &thread_channel_send},
      {"ThreadChannel::recv", outside, &thread_channel_recv},
      {"ThreadPool::submit", outside, &submit},
      {"blocking", by_itself, &blocking},
  };
  return all;
}

}  // namespace operations

const std::vector<Wait>& waits() { return operations::table(); }

}  // namespace weft_test
