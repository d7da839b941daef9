#include "faulty_calls.hpp"

#include <array>
#include <csignal>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "chaos_talk.hpp"
#include "connection.hpp"
#include "support.hpp"
#include "temporary.hpp"
#include "valgrind.hpp"

// System calls that are interrupted or transfer less than asked for: no byte is lost, and no caller
// notices. WEFT_CHAOS_SEED=n repeats one seed.
namespace {

using namespace std::chrono_literals;
using weft::File;
using weft::Listener;
using weft::TcpStream;
using weft_test::connected;

template <class F>
void with_faults(std::uint64_t count, F body) {
  for (const std::uint64_t seed : weft_test::chaos_seeds(1, count)) {
    const weft_test::FaultyCalls faults{seed};
    try {
      weft::run([&] { weft::with_timeout(20s, body); });
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << "WEFT_CHAOS_SEED=" << seed;
      return;
    }
  }
  EXPECT_GT(weft_test::FaultyCalls::interrupted(), 0U);
}

std::string lines() {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i) + "\n";
  return text;
}

/// Writes `text` with every write operation, and then "end".
void write_in_all_ways(weft::Stream& out, const std::string& text) {
  out.write_all(text);
  for (std::size_t at = 0; at < text.size();) {
    at += out.write_some(std::string_view{text}.substr(at));
  }
  for (const auto& request :
       {out.io().write(text), out.io().write(std::vector<std::string>{text, "", text})}) {
    if (!request->is_completed()) weft::await(*request);
    EXPECT_GT(request->transferred(), 0);
  }
  bool done = false;
  out.io().write_and_forget("end", [&] { done = true; });
  while (!done) weft::delay(100us);
}

TEST(FaultyCallsTest, SocketsLoseNothing) {
  const std::string text = lines();
  with_faults(8, [&] {
    auto [client, server] = connected();
    auto writer = weft::spawn([&out = client, &text] {
      write_in_all_ways(out, text);
      out.shutdown_write();
    });
    EXPECT_TRUE(server.read_all() == text + text + text + text + text + "end");
    weft::await(writer);
  });
  EXPECT_GT(weft_test::FaultyCalls::cut_short(), 0U);
}

TEST(FaultyCallsTest, PipesLoseNothing) {
  const std::string text = lines();
  with_faults(8, [&] {
    auto [in, out] = weft::Pipe::create();
    auto writer = weft::spawn([&text, mine = std::move(out)]() mutable {
      write_in_all_ways(mine, text);
      mine.close();
    });
    EXPECT_TRUE(in.read_all() == text + text + text + text + text + "end");
    weft::await(writer);
  });
}

TEST(FaultyCallsTest, LinesAndExactReadsAreWhole) {
  const std::string text = lines();
  with_faults(8, [&] {
    auto [client, server] = connected();
    auto writer = weft::spawn([&out = client, &text] {
      out.write_all(text);
      out.shutdown_write();
    });
    for (int i = 0; i < 20'000; i += 2) {
      EXPECT_EQ(server.read_line(), std::to_string(i));
      std::string next = std::to_string(i + 1) + "\n";
      const std::string expected = next;
      server.read_exactly(next);
      EXPECT_EQ(next, expected);
      if (::testing::Test::HasFailure()) break;
    }
    EXPECT_EQ(server.read_line(), std::nullopt);
    weft::await(writer);
  });
}

TEST(FaultyCallsTest, ChunkAfterChunkComes) {
  const std::string text = lines();
  with_faults(8, [&] {
    auto [client, server] = connected();
    auto writer = weft::spawn([&out = client, &text] {
      out.write_all(text);
      out.shutdown_write();
    });
    std::string got;
    const auto request = server.io().read_multishot(3'000);
    while (!request->is_completed()) {
      weft::await(*request);
      got += request->data();
    }
    EXPECT_TRUE(got == text) << got.size();
    weft::await(writer);
  });
}

TEST(FaultyCallsTest, EveryConnectionAndDatagramComes) {
  with_faults(20, [] {
    Listener listener = Listener::tcp("127.0.0.1", 0);
    auto server = weft::spawn([&] {
      for (int i = 0; i < 20; ++i) listener.accept().write_all(std::to_string(i) + "\n");
    });
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(TcpStream::connect("127.0.0.1", listener.port()).read_line(), std::to_string(i));
    }
    weft::await(server);
    weft::UdpSocket socket = weft::UdpSocket::bind("127.0.0.1", 0);
    std::array<char, 100> buffer{};
    for (std::size_t i = 0; i < 50; ++i) {
      socket.send_to(std::string(i, 'x'), socket.local_address());
      EXPECT_EQ(socket.receive_from(buffer).size, i);
    }
  });
}

TEST(FaultyCallsTest, FilesAreWrittenReadAndCopiedWhole) {
  const weft_test::TemporaryDirectory directory;
  const std::string text = lines();
  with_faults(8, [&] {
    const std::string path = directory / "file";
    File file = File::open(path, File::read | File::write | File::create | File::truncate);
    write_in_all_ways(file, text);
    file.flush();
    EXPECT_EQ(file.size(), 5 * text.size() + 3);
    file.seek(0);
    EXPECT_TRUE(file.read_all() == text + text + text + text + text + "end");
    file.seek(1);
    auto [client, server] = connected();
    auto reader = weft::spawn([&in = server] { return in.read_all(); });
    EXPECT_EQ(weft::copy(file, client), 5 * text.size() + 2);
    client.shutdown_write();
    EXPECT_TRUE(weft::await(reader) == (text + text + text + text + text + "end").substr(1));
  });
}

TEST(FaultyCallsTest, ChildrenAreStartedReadAndCollected) {
  with_faults(5, [] {
    const auto result = weft::exec_shell("head -c 300000 /dev/zero | tr '\\0' x; exit 3");
    EXPECT_TRUE(result.output == std::string(300'000, 'x')) << result.output.size();
    EXPECT_EQ(result.exit_code, 3);
    weft::Process child =
        weft::Process::start({"cat"}, {.stdin_ = weft::piped, .stdout_ = weft::piped});
    auto writer = weft::spawn([&] {
      child.stdin_().write_all(std::string(300'000, 'x'));
      child.stdin_().close();
    });
    EXPECT_TRUE(child.stdout_().read_all() == std::string(300'000, 'x'));
    weft::await(writer);
    EXPECT_EQ(child.wait(), 0);
    if (weft_test::is_under_valgrind()) return;  // which hides a start that fails
    EXPECT_THROW(static_cast<void>(weft::Process::start({"/nowhere/to/be/found"})),
                 std::system_error);
  });
}

TEST(FaultyCallsTest, SignalsThreadsAndWatchersNotify) {
  const weft_test::TemporaryDirectory directory;
  int made = 0;
  with_faults(20, [&] {
    weft::Future<int> signal = weft::signal(SIGUSR1);
    ::raise(SIGUSR1);
    EXPECT_EQ(weft::await(signal), SIGUSR1);
    EXPECT_EQ(weft::blocking([] { return 42; }), 42);
    weft::FileWatcher watcher{directory / ""};
    File::open(directory / std::to_string(made++), File::write | File::create).close();
    EXPECT_TRUE(watcher.next().has_value());
  });
}

}  // namespace
