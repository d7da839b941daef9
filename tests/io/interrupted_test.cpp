#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <string>
#include <sys/time.h>
#include <vector>

#include <gtest/gtest.h>

#include "connection.hpp"
#include "support.hpp"
#include "temporary.hpp"
#include "valgrind.hpp"

// A signal interrupts system calls (no SA_RESTART) all the time, while streams read, write, accept,
// poll and copy: no byte is lost, and no caller sees EINTR.
namespace {

using namespace std::chrono_literals;
using weft::File;
using weft::Listener;
using weft::TcpStream;
using weft_test::connected;

class Interruptions {
 public:
  Interruptions() {
    count_ = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { ++count_; };
    ::sigaction(SIGALRM, &action, &before_);
    // Less often under valgrind, where the program would only handle signals.
    set(weft_test::is_under_valgrind() ? 20'000 : 200);
  }
  ~Interruptions() {
    set(0);
    ::signal(SIGALRM, SIG_IGN);  // drops a pending signal
    ::sigaction(SIGALRM, &before_, nullptr);
  }
  Interruptions(const Interruptions&) = delete;
  Interruptions& operator=(const Interruptions&) = delete;
  [[nodiscard]] static int count() noexcept { return count_; }

 private:
  static void set(suseconds_t every) {
    const itimerval timer{{0, every}, {0, every}};
    ::setitimer(ITIMER_REAL, &timer, nullptr);
  }
  inline static std::atomic<int> count_ = 0;
  struct sigaction before_ {};
};

std::string much_text() {
  std::string text;
  for (int i = 0; text.size() < 1'000'000; ++i) text += std::to_string(i) + "\n";
  return text;
}

/// Repeats `work` until 150 signals have interrupted it.
template <class F>
void until_interrupted(F work) {
  for (const int enough = Interruptions::count() + 150; Interruptions::count() < enough;) work();
}

TEST(InterruptedTest, StreamsLoseNothing) {
  const std::string much = much_text();
  const Interruptions interruptions;
  weft::run([&] {
    until_interrupted([&] {
      auto [client, server] = connected();
      auto writer = weft::spawn([&out = client, &much] {
        out.write_all(much);
        const auto request = out.io().write(std::vector<std::string>{much, "the ", "end"});
        if (!request->is_completed()) weft::await(*request);
        out.shutdown_write();
      });
      const std::string got = server.read_all();
      EXPECT_TRUE(got == much + much + "the end") << got.size();
      weft::await(writer);
    });
  });
}

TEST(InterruptedTest, EveryConnectionIsAccepted) {
  const Interruptions interruptions;
  weft::run([&] {
    Listener listener = Listener::tcp("127.0.0.1", 0);
    until_interrupted([&] {
      auto server = weft::spawn([&] {
        for (int i = 0; i < 20; ++i) listener.accept().write_all(std::to_string(i) + "\n");
      });
      for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(TcpStream::connect("127.0.0.1", listener.port()).read_line(), std::to_string(i));
      }
      weft::await(server);
    });
  });
}

TEST(InterruptedTest, DatagramsAndPollsArrive) {
  const Interruptions interruptions;
  weft::run([&] {
    weft::UdpSocket one = weft::UdpSocket::bind("127.0.0.1", 0);
    weft::UdpSocket other = weft::UdpSocket::bind("127.0.0.1", 0);
    std::array<char, 100> buffer{};
    auto [in, out] = weft::Pipe::create();
    until_interrupted([&, &reader = in, &writer = out] {
      one.send_to("question", other.local_address());
      const weft::Received received = other.receive_from(buffer, weft::timeout(10s));
      other.send_to("answer", received.from);
      EXPECT_EQ(one.receive_from(buffer, weft::timeout(10s)).size, 6U);

      auto polled = weft::spawn([&] {
        weft::Poll poll = reader.io().poll(weft::Poll::readable);
        weft::await(poll, weft::timeout(10s));
      });
      weft::delay(100us);
      writer.write_all("x");
      weft::await(polled);
      EXPECT_EQ(reader.read_some(buffer), 1U);
    });
  });
}

TEST(InterruptedTest, FilesAreWrittenReadAndCopiedWhole) {
  const weft_test::TemporaryDirectory directory;
  const std::string much = much_text();
  const Interruptions interruptions;
  weft::run([&] {
    until_interrupted([&] {
      const std::string path = directory / "file";
      File file = File::open(path, File::read | File::write | File::create | File::truncate);
      file.write_all(much);
      file.flush();
      EXPECT_EQ(file.size(), much.size());
      file.seek(0);
      EXPECT_TRUE(file.read_all() == much);

      file.seek(0);
      auto [client, server] = connected();
      auto reader = weft::spawn([&in = server] { return in.read_all(); });
      EXPECT_EQ(weft::copy(file, client), much.size());
      client.shutdown_write();
      EXPECT_TRUE(weft::await(reader) == much);
    });
  });
}

TEST(InterruptedTest, ChildrenAreStartedReadAndCollected) {
  const Interruptions interruptions;
  weft::run([&] {
    until_interrupted([&] {
      const auto result = weft::exec_shell("head -c 300000 /dev/zero; exit 3");
      EXPECT_EQ(result.output.size(), 300'000U);
      EXPECT_EQ(result.exit_code, 3);
      weft::Process child =
          weft::Process::start({"cat"}, {.stdin_ = weft::piped, .stdout_ = weft::piped});
      auto writer = weft::spawn([&] {
        child.stdin_().write_all(std::string(300'000, 'x'));
        child.stdin_().close();
      });
      EXPECT_EQ(child.stdout_().read_all().size(), 300'000U);
      weft::await(writer);
      EXPECT_EQ(child.wait(), 0);
    });
  });
}

TEST(InterruptedTest, NamesTimersAndWatchersWork) {
  const weft_test::TemporaryDirectory directory;
  const Interruptions interruptions;
  weft::run([&] {
    weft::FileWatcher watcher{directory / ""};
    int made = 0;
    until_interrupted([&] {
      EXPECT_FALSE(weft::resolve("localhost").empty());
      const std::string name = "file" + std::to_string(made++);
      File::open(directory / name, File::write | File::create).close();
      auto change = watcher.next(weft::timeout(10s));
      EXPECT_TRUE(change.has_value());
      weft::delay(500us);
    });
  });
}

}  // namespace
