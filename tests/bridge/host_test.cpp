#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <netdb.h>
#include <string>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "bridged.hpp"
#include "failures.hpp"
#include "foreign/calls.hpp"
#include "support.hpp"
#include "temporary.hpp"
#include "weft/channel.hpp"
#include "weft/extend/bridge_host.hpp"
#include "weft/extend/coroutine_base.hpp"
#include "weft/extend/embed.hpp"
#include "weft/extend/park.hpp"

// A host that is no language: its state is a number, which belongs to the coroutine that runs.
namespace {

using namespace std::chrono_literals;
using weft::bridge::Ended;
using weft_test::blocking;
using weft_test::Bridged;
using weft_test::Ends;
using weft_test::OwnDescriptor;

class ToyHost final : public weft::bridge::Host {
 public:
  ToyHost() : before_{weft::bridge::set_host(this)} {}
  ~ToyHost() { weft::bridge::set_host(before_); }
  ToyHost(const ToyHost&) = delete;
  ToyHost& operator=(const ToyHost&) = delete;

  bool may_suspend() noexcept override { return allows; }
  bool before_wait(const char* call) noexcept override {
    if (!lets_wait) return false;
    calls.emplace_back(call);
    saved_.emplace(weft::current().id(), engine);
    engine = -1;  // what others leave there
    ++open;
    return true;
  }
  void after_wait(Ended how) noexcept override {
    const auto found = saved_.find(weft::current().id());
    engine = found != saved_.end() ? found->second : -2;
    if (found != saved_.end()) saved_.erase(found);
    ended.push_back(how);
    --open;
    if (how == Ended::cancelled && takes_cancellations) taken = weft::take_cancellation().text;
    errno = ENOTTY;  // must not be seen
  }
  weft::Place place() noexcept override { return where; }
  bool refused(const weft::bridge::Refusal& refusal) noexcept override {
    refusals.push_back(refusal.text);
    return reports;
  }
  void handlers_have_run() noexcept override { ++times_of_handlers; }

  weft::Place where;  // the line of the host's program
  int engine = 0;
  int open = 0;  // waits that were left and are not back
  bool allows = true;
  bool lets_wait = true;
  bool takes_cancellations = false;
  bool reports = true;
  int times_of_handlers = 0;
  std::string taken;
  std::vector<std::string> calls;
  std::vector<Ended> ended;
  std::vector<std::string> refusals;

 private:
  std::map<std::uint64_t, int> saved_;
  weft::bridge::Host* before_;
};

/// A call that waits until the partner acts: one of each way in which the bridge suspends.
struct Waiting {
  const char* name;
  /// Returns what the call returned, with errno.
  std::function<long()> call;
  std::function<void()> release;
};

class BridgeHostTest : public ::testing::Test {
 protected:
  ~BridgeHostTest() override {
    if (child_ > 0) ::waitpid(child_, nullptr, 0);
  }
  /// The waits of all families. Their descriptors live as long as the test.
  std::vector<Waiting> all() {
    std::vector<Waiting> waits;
    Ends& one = keep(Ends::sockets());
    waits.push_back({"recv",
                     [&one] {
                       char byte = 0;
                       return foreign::recv(one.here.get(), &byte, 1, 0);
                     },
                     [&one] { weft_test::put(one.there.get(), "x"); }});
    Ends& two = keep(Ends::sockets());
    waits.push_back({"poll",
                     [&two] {
                       pollfd query{two.here.get(), POLLIN, 0};
                       return foreign::poll(&query, 1, -1);
                     },
                     [&two] { weft_test::put(two.there.get(), "x"); }});
    Ends& three = keep(Ends::sockets());
    waits.push_back({"select",
                     [&three] {
                       fd_set readable;
                       FD_ZERO(&readable);
                       FD_SET(three.here.get(), &readable);
                       return foreign::select(three.here.get() + 1, &readable, nullptr, nullptr,
                                              nullptr);
                     },
                     [&three] { weft_test::put(three.there.get(), "x"); }});
    Ends full = Ends::sockets();
    weft_test::fill(full.here.get());
    Ends& four = keep(std::move(full));
    waits.push_back({"send", [&four] { return foreign::send(four.here.get(), "y", 1, 0); },
                     [&four] { weft_test::take(four.there.get()); }});
    Ends& five = keep(Ends::pipe());
    waits.push_back({"read",
                     [&five] {
                       char byte = 0;
                       return foreign::read(five.here.get(), &byte, 1);
                     },
                     [&five] { weft_test::put(five.there.get(), "x"); }});
    Ends& six = keep(Ends::sockets());
    epoll_ = OwnDescriptor{::epoll_create1(EPOLL_CLOEXEC)};
    epoll_event wanted{};
    wanted.events = EPOLLIN;
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, six.here.get(), &wanted);
    waits.push_back({"epoll_wait",
                     [this] {
                       epoll_event found{};
                       return foreign::epoll_wait(epoll_.get(), &found, 1, -1);
                     },
                     [&six] { weft_test::put(six.there.get(), "x"); }});
    waits.push_back({"accept",
                     [this] {
                       const OwnDescriptor accepted{
                           foreign::accept(listener().get(), nullptr, nullptr)};
                       const int error = errno;
                       const long result = accepted.get() >= 0 ? 0 : -1;
                       errno = error;
                       return result;
                     },
                     [this] { connect_to_listener(); }});
    waits.push_back({"usleep", [] { return foreign::usleep(50'000); }, [] {}});
    waits.push_back({"waitpid",
                     [this] {
                       child_ = ::fork();
                       if (child_ == 0) {
                         ::pause();
                         ::_exit(0);
                       }
                       return foreign::waitpid(child_, nullptr, 0);
                     },
                     [this] { ::kill(child_, SIGKILL); }});
    waits.push_back({"flock", [this] { return foreign::flock(second_lock_.get(), LOCK_EX); },
                     [this] { ::flock(first_lock_.get(), LOCK_UN); }});
    waits.push_back({"getaddrinfo",
                     [] {
                       addrinfo* found = nullptr;
                       const int error = foreign::getaddrinfo("localhost", "80", nullptr, &found);
                       if (error == 0) ::freeaddrinfo(found);
                       return error == EAI_SYSTEM ? -1 : error;
                     },
                     [] {}});
    const std::string path = directory_ / "lock";
    first_lock_ = OwnDescriptor{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
    second_lock_ = OwnDescriptor{::open(path.c_str(), O_RDWR | O_CLOEXEC)};
    EXPECT_EQ(::flock(first_lock_.get(), LOCK_EX), 0);
    return waits;
  }

 private:
  Ends& keep(Ends ends) {
    kept_.push_back(std::make_unique<Ends>(blocking(std::move(ends))));
    return *kept_.back();
  }
  sockaddr* address() { return reinterpret_cast<sockaddr*>(&address_); }
  OwnDescriptor& listener() {
    if (listener_.get() < 0) {
      address_.sun_family = AF_UNIX;
      std::strcpy(address_.sun_path, (directory_ / "s").c_str());
      listener_ = OwnDescriptor{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
      ::bind(listener_.get(), address(), sizeof address_);
      ::listen(listener_.get(), 1);
    }
    return listener_;
  }
  void connect_to_listener() {
    client_ = OwnDescriptor{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    ::connect(client_.get(), address(), sizeof address_);
  }

  Bridged bridged_;
  weft_test::TemporaryDirectory directory_;
  std::vector<std::unique_ptr<Ends>> kept_;
  OwnDescriptor epoll_;
  OwnDescriptor listener_;
  OwnDescriptor client_;
  OwnDescriptor first_lock_;
  OwnDescriptor second_lock_;
  sockaddr_un address_{};
  pid_t child_ = 0;
};

TEST_F(BridgeHostTest, SavesAndLoadsAroundEverySuspensionOfEveryFamily) {
  ToyHost host;
  weft::testing::run([&] {
    for (const Waiting& wait : all()) {
      SCOPED_TRACE(wait.name);
      host.calls.clear();
      host.ended.clear();
      long result = -1;
      auto caller = weft::spawn([&] {
        host.engine = 42;
        result = wait.call();
        EXPECT_EQ(host.engine, 42);
      });
      auto other = weft::spawn([&] {
        host.engine = 7;
        foreign::usleep(10'000);
        EXPECT_EQ(host.engine, 7);
      });
      weft::suspend();
      EXPECT_EQ(host.open, 2);  // both have left their stack
      weft::await(other);
      wait.release();
      weft::await(caller);
      EXPECT_GE(result, 0);
      EXPECT_EQ(host.open, 0);
      EXPECT_EQ(host.calls.size(), host.ended.size());
      EXPECT_EQ(host.calls.at(0), wait.name);
    }
  });
}

TEST_F(BridgeHostTest, LearnsOfACancellationInEveryFamilyAndTheCallFailsWithEcanceled) {
  ToyHost host;
  weft::testing::run([&] {
    for (const Waiting& wait : all()) {
      SCOPED_TRACE(wait.name);
      host.ended.clear();
      long result = 0;
      int error = 0;
      auto caller = weft::spawn([&] {
        host.engine = 42;
        errno = 0;
        result = wait.call();
        error = errno;
        EXPECT_EQ(host.engine, 42);
      });
      weft::suspend();
      EXPECT_EQ(host.open, 1);
      caller.cancel();
      weft_test::error_of([&] { weft::await(caller); });
      EXPECT_EQ(host.open, 0);
      EXPECT_EQ(result, -1);
      EXPECT_EQ(error, ECANCELED);
      ASSERT_FALSE(host.ended.empty());
      EXPECT_EQ(host.ended.back(), Ended::cancelled);
      wait.release();
    }
  });
}

TEST_F(BridgeHostTest, MayTakeTheCancellationAndThenCallsWaitAgain) {
  ToyHost host;
  host.takes_cancellations = true;
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::sockets());
    bool slept = false;
    auto caller = weft::spawn([&] {
      char byte = 0;
      EXPECT_EQ(foreign::recv(ends.here.get(), &byte, 1, 0), -1);
      EXPECT_EQ(errno, ECANCELED);
      EXPECT_EQ(foreign::usleep(1'000), 0);  // clean-up of the host
      slept = true;
    });
    weft::testing::settle();
    caller.cancel("enough");
    weft_test::error_of([&] { weft::await(caller); });
    EXPECT_EQ(host.taken, "enough");
    EXPECT_TRUE(slept);
    EXPECT_TRUE(caller.is_cancelled());
  });
}

TEST_F(BridgeHostTest, ForbidsToSuspend) {
  ToyHost host;
  weft::testing::run([&] {
    bool other_ran = false;
    auto other = weft::spawn([&] { other_ran = true; });
    host.allows = false;
    EXPECT_EQ(foreign::usleep(1'000), 0);
    EXPECT_FALSE(other_ran);
    EXPECT_TRUE(host.calls.empty());
    host.allows = true;
    EXPECT_EQ(foreign::usleep(1'000), 0);
    EXPECT_TRUE(other_ran);
    weft::await(other);
  });
}

TEST_F(BridgeHostTest, SaysItselfThatACallIsRefused) {
  ToyHost host;
  std::vector<std::string> warnings;
  weft::testing::run(
      [&] {
        const Ends ends = blocking(Ends::sockets());
        char byte = 0;
        auto first = weft::spawn([&] { foreign::recv(ends.here.get(), &byte, 1, 0); });
        weft::testing::settle();
        for (const bool reports : {true, false}) {
          host.reports = reports;
          EXPECT_EQ(foreign::recv(ends.here.get(), &byte, 1, 0), -1);
          EXPECT_EQ(errno, EBUSY);
          EXPECT_EQ(warnings.size(), reports ? 0U : 1U);
        }
        ASSERT_EQ(host.refusals.size(), 2U);
        EXPECT_EQ(host.refusals[0], weft::bridge::last_refusal().text);
        weft_test::put(ends.there.get(), "x");
        weft::await(first);
      },
      weft_test::collecting(warnings));
}

TEST_F(BridgeHostTest, SavesAndLoadsWhenCallsThatNeverWaitLetOthersRun) {
  ToyHost host;
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::sockets());
    host.engine = 5;
    for (int i = 0; i < 1'000; ++i) {
      weft_test::put(ends.there.get(), "x");
      char byte = 0;
      EXPECT_EQ(foreign::recv(ends.here.get(), &byte, 1, 0), 1);
      EXPECT_EQ(host.engine, 5);
    }
    EXPECT_FALSE(host.calls.empty());
    EXPECT_EQ(host.open, 0);
    EXPECT_EQ(host.calls.at(0), "yield");
  });
}

TEST_F(BridgeHostTest, NamesTheLineThatWaits) {
  ToyHost host;
  weft::testing::run([&] {
    for (const Waiting& wait : all()) {
      SCOPED_TRACE(wait.name);
      host.where = weft::Place{"program.toy", 12};
      auto caller = weft::spawn([&] { EXPECT_GE(wait.call(), 0); });
      weft::suspend();
      host.where = weft::Place{"program.toy", 99};  // others run
      EXPECT_STREQ(caller.suspend_place().file, "program.toy");
      EXPECT_EQ(caller.suspend_place().line, 12U);
      wait.release();
      weft::await(caller);
    }
  });
}

TEST_F(BridgeHostTest, EndsACallThatMustNotWait) {
  ToyHost host;
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::sockets());
    host.lets_wait = false;
    char byte = 0;
    EXPECT_EQ(foreign::recv(ends.here.get(), &byte, 1, 0), -1);
    EXPECT_EQ(errno, ECANCELED);
    EXPECT_TRUE(host.ended.empty());
    host.lets_wait = true;
    weft_test::put(ends.there.get(), "x");
    EXPECT_EQ(foreign::recv(ends.here.get(), &byte, 1, 0), 1);
  });
}

TEST_F(BridgeHostTest, WaitsForManyDescriptorsAtOnce) {
  ToyHost host;
  weft::testing::run([&] {
    std::vector<Ends> all;
    std::vector<pollfd> queries;
    for (int i = 0; i < 40; ++i) {
      all.push_back(blocking(Ends::sockets()));
      queries.push_back({all.back().here.get(), POLLIN, 0});
    }
    auto writer = weft::spawn([&] { weft_test::put(all.back().there.get(), "x"); });
    EXPECT_EQ(foreign::poll(queries.data(), queries.size(), -1), 1);
    EXPECT_NE(queries.back().revents & POLLIN, 0);
    weft::await(writer);
  });
}

/// Lets a signal have a handler that does nothing.
class QuietSignal {
 public:
  explicit QuietSignal(int number) : number_{number} {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    EXPECT_EQ(foreign::sigaction(number, &action, &before_), 0);
  }
  ~QuietSignal() { foreign::sigaction(number_, &before_, nullptr); }
  QuietSignal(const QuietSignal&) = delete;
  QuietSignal& operator=(const QuietSignal&) = delete;

 private:
  int number_;
  struct sigaction before_ {};
};

TEST_F(BridgeHostTest, LearnsOfHandlersWhileNoCallWaits) {
  weft::testing::run([&] {
    ToyHost host;
    const QuietSignal quiet{SIGUSR2};
    ::raise(SIGUSR2);
    EXPECT_EQ(host.times_of_handlers, 0) << "in the handler itself";
    weft::tick_reactor();
    EXPECT_EQ(host.times_of_handlers, 1);
    weft::tick_reactor();
    EXPECT_EQ(host.times_of_handlers, 1);
    EXPECT_EQ(foreign::usleep(1'000), 0);
    ::raise(SIGUSR2);
    weft::tick_reactor();
    EXPECT_EQ(host.times_of_handlers, 2) << "after a call that has waited";
  });
}

TEST_F(BridgeHostTest, LearnsOfHandlersThatWereSetBefore) {
  const QuietSignal quiet{SIGUSR2};
  weft::testing::run([&] {
    ToyHost host;
    ::raise(SIGUSR2);
    weft::tick_reactor();
    EXPECT_EQ(host.times_of_handlers, 1);
  });
}

TEST_F(BridgeHostTest, HandlersAreNoReasonToStay) {
  ToyHost host;
  const QuietSignal quiet{SIGUSR2};
  weft::testing::run([] { EXPECT_EQ(foreign::usleep(1'000), 0); });
  weft::Options options;
  options.on_warning = [](std::string_view) {};  // the report
  EXPECT_THROW(weft::testing::run([] { weft::Channel<int>{}.recv(); }, options),
               weft::DeadlockError);
}

TEST_F(BridgeHostTest, BelongsToItsThread) {
  ToyHost host;
  EXPECT_EQ(weft::bridge::set_host(&host), &host);
  std::thread{[] { EXPECT_EQ(weft::bridge::set_host(nullptr), nullptr); }}.join();
}

}  // namespace
