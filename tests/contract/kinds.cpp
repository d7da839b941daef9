#include "contract/kinds.hpp"

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <unistd.h>

#include "children.hpp"
#include "descriptors.hpp"
#include "scheduler/scheduler.hpp"
#include "temporary.hpp"
#include "weft/detail/iteration.hpp"
#include "weft/extend/dns_event.hpp"
#include "weft/extend/exec_event.hpp"
#include "weft/extend/fs_watch.hpp"

// Functions that create an event of each kind, and make it happen.
namespace weft_test {
namespace {

using namespace std::chrono_literals;

/// A specimen that owns `keep`.
template <class T>
Specimen specimen(std::shared_ptr<T> keep, weft::Event& event, weft::Function<void()> fire,
                  weft::Function<void()> end = {}) {
  return {&event, std::move(fire), std::move(end), std::move(keep)};
}

class Bell final : public weft::Event {
 public:
  void ring() noexcept { notify_and_close(); }
};

Specimen coroutine() {
  struct Own {
    Bell bell;
    weft::Coroutine<int> coroutine = weft::spawn([this] {
      weft::await(bell);
      return 7;
    });
    ~Own() {
      bell.ring();
      weft::suspend();
    }
  };
  auto own = std::make_shared<Own>();
  weft::suspend();  // lets it begin
  return specimen(
      own, own->coroutine, [own = own.get()] { own->bell.ring(); },
      [own = own.get()] { own->coroutine.cancel(); });
}

Specimen future() {
  struct Own {
    weft::Promise<int> promise;
    weft::Future<int> future = promise.future();
  };
  auto own = std::make_shared<Own>();
  own->future.ignore();
  return specimen(
      own, own->future, [own = own.get()] { own->promise.complete(7); },
      [own = own.get()] { own->future.cancel(); });
}

Specimen channel_receive() {
  auto own = std::make_shared<weft::Channel<int>>(1);
  return specimen(
      own, *own, [own = own.get()] { own->send(1); }, [own = own.get()] { own->close(); });
}

Specimen channel_send() {
  auto own = std::make_shared<weft::Channel<int>>(1);
  own->send(1);
  return specimen(
      own, own->sendable(), [own = own.get()] { (void)own->recv(); },
      [own = own.get()] { own->close(); });
}

Specimen timer() {
  auto own = std::make_shared<weft::Timer>(1ms);
  return specimen(own, *own, [] {});
}

struct PollOwn {
  Ends ends = Ends::sockets();
  std::optional<weft::Poll> poll;
  weft::Ref<weft::Io> io;
  void speak() { (void)!::write(ends.there.get(), "x", 1); }
};

Specimen poll() {
  auto own = std::make_shared<PollOwn>();
  own->poll.emplace(own->ends.here.get(), weft::Poll::readable);
  return specimen(
      own, *own->poll, [own = own.get()] { own->speak(); },
      [own = own.get()] { own->poll->close(); });
}

Specimen poll_proxy() {
  auto own = std::make_shared<PollOwn>();
  own->io = weft::Io::adopt(own->ends.here.get(), false);
  own->poll.emplace(own->ends.here.get(), weft::Poll::readable, *own->io);
  return specimen(
      own, *own->poll, [own = own.get()] { own->speak(); },
      [own = own.get()] { own->poll->close(); });
}

Specimen signal() {
  auto own = std::make_shared<weft::SignalEvent>(SIGUSR1);
  return specimen(own, *own, [] { ::raise(SIGUSR1); });
}

Specimen process() {
  struct Own {
    HeldChild child{3};
    weft::Ref<weft::ProcessEvent> event = weft::ProcessEvent::of(child.pid());
    ~Own() {
      child.release();
      if (!event->is_closed()) weft::await(*event);
    }
  };
  auto own = std::make_shared<Own>();
  return specimen(own, *own->event, [own = own.get()] { own->child.release(); });
}

Specimen exec() {
  auto own = std::make_shared<weft::ExecEvent>(weft::ExecCommand{.argv = {"sleep", "0.02"}});
  return specimen(own, *own, [] {});
}

/// An event that another thread completes on request.
struct Away {
  std::shared_ptr<weft::ThreadChannel<int>> channel = std::make_shared<weft::ThreadChannel<int>>(1);
  std::optional<weft::ThreadPool> pool;
  weft::Future<int> future;
  auto body() {
    return [channel = channel] { return channel->recv(); };
  }
  void send() { (void)channel->try_send(7); }
  ~Away() { channel->close(); }
};

Specimen thread() {
  auto own = std::make_shared<Away>();
  own->future = weft::Thread::start(own->body(), {}, weft::Place{"foo.cpp", 10});
  own->future.ignore();
  return specimen(
      own, own->future, [own = own.get()] { own->send(); },
      [own = own.get()] { own->future.cancel(); });
}

Specimen pool_task() {
  auto own = std::make_shared<Away>();
  own->pool.emplace(weft::ThreadPoolOptions{.workers = 1});
  own->future = own->pool->submit(own->body());
  own->future.ignore();
  return specimen(
      own, own->future, [own = own.get()] { own->send(); },
      [own = own.get()] { own->future.cancel(); });
}

Specimen file_watch() {
  struct Own {
    TemporaryDirectory directory;
    weft::FileWatchEvent event{directory / ""};
  };
  auto own = std::make_shared<Own>();
  return specimen(
      own, own->event, [own = own.get()] { std::ofstream{own->directory / "new"} << "x"; },
      [own = own.get()] { own->event.close(); });
}

Specimen address_lookup() {
  auto own = std::make_shared<weft::AddressLookup>("127.0.0.1", "80");
  return specimen(own, *own, [] {});
}

Specimen name_lookup() {
  auto own = std::make_shared<weft::NameLookup>(weft::Address::parse("127.0.0.1", 80));
  return specimen(own, *own, [] {});
}

Specimen listen() {
  struct Own {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    weft::ListenEvent event = listener.event();
    OwnDescriptor guest;
  };
  auto own = std::make_shared<Own>();
  return specimen(own, own->event, [own = own.get()] {
    const weft::Address to = own->listener.local_address();
    own->guest = OwnDescriptor{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    (void)::connect(own->guest.get(), static_cast<const sockaddr*>(to.native()),
                    static_cast<socklen_t>(to.native_size()));
  });
}

Specimen trigger() {
  auto own = std::make_shared<weft::Trigger>();
  return specimen(own, *own, [own = own.get()] { own->fire(); });
}

Specimen io() {
  struct Own {
    Ends ends = Ends::sockets();
    weft::Ref<weft::Io> io = weft::Io::adopt(ends.here.get(), weft::Io::Type::tcp, 3, false);
  };
  auto own = std::make_shared<Own>();
  return specimen(own, *own->io, [own = own.get()] { own->io->close(); });
}

template <class Tasks>
Specimen tasks() {
  struct Own {
    Bell bell;
    Tasks tasks;
  };
  auto own = std::make_shared<Own>();
  own->tasks.spawn([own = own.get()] { weft::await(own->bell); });
  weft::suspend();
  return specimen(own, own->tasks, [own = own.get()] {
    own->tasks.close();
    own->bell.ring();
  });
}

Specimen pool() {
  struct Own {
    weft::Pool<int> pool{{.max = 1, .create = [] { return 1; }}};
    std::optional<weft::Lease<int>> lease = pool.acquire();
  };
  auto own = std::make_shared<Own>();
  return specimen(
      own, own->pool, [own = own.get()] { own->lease.reset(); },
      [own = own.get()] { own->pool.close(); });
}

Specimen scope() {
  auto own =
      std::make_shared<weft::Ref<weft::Scope>>(weft::Scope::inherit(weft::Place{"foo.cpp", 10}));
  // Dropping the handle of an empty scope ends it without a cancellation.
  weft::Event& event = **own;
  return specimen(own, event,
                  [own = own.get(), stays = weft::Ref<weft::Event>{&event}] { *own = nullptr; });
}

Specimen iterator() {
  class Own final : public weft::detail::Iteration {
   public:
    Own() : Iteration{1} {}
    ~Own() override {
      bell.ring();
      if (running_) weft::await(*running_);
    }
    void begin() {
      running_ = weft::spawn([this] { weft::with_scope([this](weft::Scope& s) { run(s, {}); }); });
      weft::suspend();
      weft::suspend();
    }
    Bell bell;

   private:
    bool step() override {
      if (!bell.is_closed()) weft::await(bell);
      return false;
    }
    std::optional<weft::Coroutine<void>> running_;
  };
  auto own = std::make_shared<Own>();
  own->begin();
  return specimen(own, *own, [own = own.get()] { own->bell.ring(); });
}

}  // namespace

const std::vector<Kind>& kinds() {
  using enum Life;
  using enum Counting;
  static const std::vector<Kind> all = {
      {"Coroutine", "Coroutine [0-9]+ spawned at .*", once, nothing, &coroutine},
      {"Future", "FutureState\\(pending\\)", once, nothing, &future},
      {"ChannelReceive", "Channel\\(capacity=1, receivers=0, senders=0, reserved=0/0\\)", hint,
       nothing, &channel_receive},
      {"ChannelSend", "Channel\\(capacity=1, receivers=0, senders=0, reserved=0/0\\)", hint,
       nothing, &channel_send},
      {"Timer", "Timer\\(timeout=1ms, once\\)", silent, loop, &timer},
      {"Poll", "Poll\\(socket=[0-9]+, events=r\\)", again, loop, &poll},
      {"PollProxy", "PollProxy\\(events=r\\)", again, loop, &poll_proxy},
      {"Signal", "Signal\\(signum=[0-9]+\\)", again, loop, &signal},
      {"Process", "Process\\(pid=[0-9]+\\)", once, loop, &process},
      {"Exec", "Exec\\(cmd=sleep 0.02\\)", once, loop, &exec},
      {"Thread", "thread #[0-9]+ spawned at foo\\.cpp:10", once, loop, &thread},
      {"FileWatch", "FilesystemWatch\\(path=.+\\)", again, loop, &file_watch},
      {"AddressLookup", "DNSAddrInfo\\(node=127\\.0\\.0\\.1, service=80\\)", once, loop,
       &address_lookup},
      {"NameLookup", "DNSNameInfo", once, loop, &name_lookup},
      {"Listen", "Listen\\(host=127\\.0\\.0\\.1, port=[0-9]+\\)", again, loop, &listen},
      {"Trigger", "Trigger", again, loop, &trigger},
      {"PoolTask", "ThreadPoolTask", once, loop, &pool_task},
      {"Io", "IO\\(type=tcp, socket=[0-9]+\\)", silent, own, &io, true},
      {"TaskGroup", "TaskGroup\\(total=1, active=1\\)", once, nothing,
       &tasks<weft::TaskGroup<void>>},
      {"TaskSet", "TaskSet\\(total=1, active=1\\)", once, nothing, &tasks<weft::TaskSet<void>>},
      {"Pool", "Pool\\(idle=0, active=1, reserved=0, max=1\\)", hint, nothing, &pool},
      {"Scope", "Scope #[0-9]+ created at foo\\.cpp:10", once, nothing, &scope},
      {"Iterator", "iterator-completion", once, nothing, &iterator},
  };
  return all;
}

}  // namespace weft_test
