#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>
#include <malloc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <string>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "children.hpp"
#include "context/sanitizer.hpp"
#include "descriptors.hpp"
#include "failures.hpp"
#include "support.hpp"
#include "temporary.hpp"
#include "valgrind.hpp"

// Faults of peers and of the system, and the errors that the program gets.
namespace {

using namespace std::chrono_literals;
using weft::File;
using weft::Io;
using weft::Listener;
using weft::TcpStream;
using weft_test::code_of;
using weft_test::error_of;
using weft_test::is;
using weft_test::TemporaryDirectory;
using weft_test::text;

struct Connection {
  TcpStream client;
  TcpStream server;

  static Connection make() {
    Listener listener = Listener::tcp("127.0.0.1", 0);
    auto accepted = weft::spawn([&] { return listener.accept(); });
    TcpStream client = TcpStream::connect("127.0.0.1", listener.port());
    return {std::move(client), weft::await(accepted)};
  }
  void reset_server() {
    const linger now{1, 0};
    ::setsockopt(server.descriptor(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    server.close();
  }
};

/// While it lives, no descriptor can be opened.
class NoDescriptors {
 public:
  NoDescriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit few = before_;
    few.rlim_cur = 64;
    ::setrlimit(RLIMIT_NOFILE, &few);
    for (int next = 0; (next = ::dup(0)) >= 0;) all_.emplace_back(next);
  }
  ~NoDescriptors() {
    all_.clear();
    ::setrlimit(RLIMIT_NOFILE, &before_);
  }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;

 private:
  rlimit before_{};
  std::vector<weft_test::OwnDescriptor> all_;
};

TEST(FaultTest, WithoutDescriptorsEverythingThatOpensOneSaysSo) {
  if (!weft_test::descriptors_can_run_out()) GTEST_SKIP() << "not under checkers";
  const TemporaryDirectory directory;
  weft::run([&] {
    Listener listener = Listener::tcp("127.0.0.1", 0);
    const weft::Address address = listener.local_address();
    weft::exec({"true"});                           // opens the descriptors of the loop...
    { const File warm = File::open("/dev/null"); }  // ...and starts a worker
    const std::vector<std::pair<const char*, std::function<void()>>> ways{
        {"connect", [&] { static_cast<void>(TcpStream::connect(address)); }},
        {"listen", [&] { static_cast<void>(Listener::tcp("127.0.0.1", 0)); }},
        {"listen on a path", [&] { static_cast<void>(Listener::unix_path(directory / "socket")); }},
        {"datagrams", [] { static_cast<void>(weft::UdpSocket::bind("127.0.0.1", 0)); }},
        {"file", [] { static_cast<void>(File::open("/dev/null")); }},
        {"pipe", [] { static_cast<void>(weft::Pipe::create()); }},
        {"pair", [] { static_cast<void>(weft::UnixStream::pair()); }},
        {"copy of a stream", [] { static_cast<void>(weft::standard_output()); }},
        {"command", [] { static_cast<void>(weft::exec({"true"})); }},
        {"child",
         [] { static_cast<void>(weft::Process::start({"true"}, {.stdout_ = weft::piped})); }},
    };
    for (const auto& [name, way] : ways) {
      std::exception_ptr error;
      {
        const NoDescriptors none;
        error = error_of(way);
      }
      EXPECT_EQ(code_of(error), EMFILE) << name << ": " << text(error);
      EXPECT_EQ(weft::stats().active_events, 0U) << name;
      EXPECT_FALSE(error_of(way)) << name << " works again: " << text(error_of(way));
    }
  });
}

TEST(FaultTest, AResetInTheMiddleOfAVectoredWriteEndsIt) {
  weft::testing::run([] {
    Connection both = Connection::make();
    both.client.io().set_option(SOL_SOCKET, SO_SNDBUF, 4096);
    const auto request = both.client.io().write(
        std::vector<std::string>{std::string(5'000'000, 'x'), std::string(5'000'000, 'y')});
    EXPECT_FALSE(request->is_completed());
    both.reset_server();
    const auto error = error_of([&] { weft::await(*request); });
    EXPECT_TRUE(code_of(error) == ECONNRESET || code_of(error) == EPIPE) << text(error);
    EXPECT_EQ(text(error).find("write to TCP 127.0.0.1:"), 0U) << text(error);
    EXPECT_EQ(request->transferred(), -1);
  });
}

// In this test and the next, SIGPIPE must not end the process.
TEST(FaultTest, AResetInTheMiddleOfAFileTransferEndsIt) {
  const TemporaryDirectory directory;
  weft::run([&] {
    File file = File::open(directory / "file", File::read | File::write | File::create);
    file.write_all(std::string(10'000'000, 'x'));
    file.seek(0);
    Connection both = Connection::make();
    auto copier = weft::spawn([&] { weft::copy(file, both.client); });
    std::string first(1'000, ' ');
    both.server.read_exactly(first);
    both.reset_server();
    const auto error = error_of([&] { weft::await(copier); });
    EXPECT_TRUE(code_of(error) == ECONNRESET || code_of(error) == EPIPE) << text(error);
    EXPECT_EQ(text(error).find("send from file"), 0U) << text(error);
    EXPECT_TRUE(file.is_open());
  });
}

TEST(FaultTest, NoWayToWriteToAClosedPeerIsASignal) {
  const TemporaryDirectory directory;
  weft::run([&] {
    File file = File::open(directory / "file", File::read | File::write | File::create);
    file.write_all("text");
    Connection both = Connection::make();
    both.reset_server();
    const auto vectored = error_of([&] {
      for (;;) {
        const auto request = both.client.io().write(std::vector<std::string>{"a", "b"});
        if (!request->is_completed()) weft::await(*request);
        if (request->error() != nullptr) std::rethrow_exception(request->error());
      }
    });
    EXPECT_TRUE(code_of(vectored) == ECONNRESET || code_of(vectored) == EPIPE) << text(vectored);
    const auto transfer = error_of([&] {
      file.seek(0);
      weft::copy(file, both.client);
    });
    EXPECT_EQ(code_of(transfer), EPIPE) << text(transfer);
    auto pair = weft::UnixStream::pair();
    pair.second.close();
    EXPECT_EQ(code_of(error_of([&] { pair.first.write_all("x"); })), EPIPE);
  });
}

// Half open: the peer has vanished without closing. A read would wait for ever without keep-alive
// probes.
TEST(RealTimeFaultTest, APeerThatVanishedIsNoticedWhenItIsAsked) {
  weft::run([] {
    Connection both = Connection::make();
    both.client.keep_alive(true, 1s);
    // A socket in repair mode is closed without a FIN or RST.
    const int on = 1;
    if (::setsockopt(both.server.descriptor(), IPPROTO_TCP, TCP_REPAIR, &on, sizeof on) != 0) {
      GTEST_SKIP() << "sockets cannot be repaired here: " << std::strerror(errno);
    }
    both.server.close();
    std::string buffer(10, ' ');
    const auto silence = error_of([&] { both.client.read_some(buffer, weft::timeout(50ms)); });
    EXPECT_TRUE(is<weft::TimedOut>(silence)) << text(silence);
    const auto error = error_of([&] { both.client.read_some(buffer, weft::timeout(20s)); });
    EXPECT_TRUE(code_of(error) == ECONNRESET || code_of(error) == ETIMEDOUT) << text(error);
    EXPECT_EQ(text(error).find("read from TCP 127.0.0.1:"), 0U) << text(error);
  });
}

/// Runs `body` in a child that has a disk of 1 MiB at `path`; returns what went wrong, or "-" if
/// such a disk cannot be mounted.
std::string with_small_disk(const std::string& path, const std::function<std::string()>& body) {
  weft_test::Ends answer = weft_test::Ends::pipe();
  const int child = weft_test::start_child([&] {
    std::string report = "-";
    if (::unshare(CLONE_NEWNS) == 0 &&
        ::mount("none", "/", "none", MS_REC | MS_PRIVATE, nullptr) == 0 &&
        ::mount("small", path.c_str(), "tmpfs", 0, "size=1m") == 0) {
      report = body();
    }
    weft_test::put(answer.there.get(), report);
    return 0;
  });
  weft_test::wait_until_dead(child);
  int status = 0;
  ::waitpid(child, &status, 0);
  const std::string report = weft_test::take(answer.here.get());
  return status == 0 ? report : "the child ended with status " + std::to_string(status);
}

TEST(FaultTest, AFullDiskTakesWhatFitsAndSaysSo) {
  const TemporaryDirectory directory;
  const std::string disk = directory / "";
  const std::string report = with_small_disk(disk, [&] {
    std::string wrong;
    weft::run([&] {
      File file = File::open(disk + "file", File::read | File::write | File::create);
      const auto error = error_of([&] { file.write_all(std::string(3 << 20, 'x')); });
      if (code_of(error) != ENOSPC) wrong += "error: " + text(error) + "; ";
      if (text(error).find("write to file") != 0) wrong += "text: " + text(error) + "; ";
      if (file.size() != 1 << 20) wrong += "size: " + std::to_string(file.size()) + "; ";
      file.seek(0);
      if (file.read_all() != std::string(1 << 20, 'x')) wrong += "other bytes; ";
      File other = File::open(disk + "other", File::write | File::create);
      if (code_of(error_of([&] { other.write_all("x"); })) != ENOSPC) wrong += "there is room; ";
      File::open(disk + "file", File::write | File::truncate).close();
      other.write_all("x");  // the truncation has made room
    });
    return wrong.empty() ? "well" : wrong;
  });
  if (report == "-") GTEST_SKIP() << "no disk of one's own to be had here";
  EXPECT_EQ(report, "well");
}

std::size_t memory_in_use() {
  const auto all = ::mallinfo2();
  return all.uordblks + all.hblkhd;
}

// The writer waits for a slow reader and buffers nothing.
TEST(FaultTest, AWriterWaitsForASlowReaderAndMemoryStaysFlat) {
  if (WEFT_ASAN || WEFT_TSAN) GTEST_SKIP() << "memory is counted by the sanitizer";
  weft::run([] {
    Connection both = Connection::make();
    const std::string piece(64 * 1024, 'x');
    std::string buffer(64 * 1024, ' ');
    std::size_t written = 0;
    auto writer = weft::spawn([&] {
      for (;;) {
        both.client.write_all(piece);
        written += piece.size();
      }
    });
    for (std::size_t seen = 1; written != seen; weft::delay(5ms)) seen = written;
    const std::size_t room = written;  // the buffers of the kernel: the server has not read
    EXPECT_GT(room, 0U);
    const std::size_t memory = memory_in_use();
    std::size_t got = 0;
    while (got < 4 * room) {
      got += both.server.read_some(buffer);
      EXPECT_LE(written, got + 2 * room + piece.size()) << "more than the kernel holds";
      if (::testing::Test::HasFailure()) break;
    }
    EXPECT_LT(memory_in_use(), memory + 100'000);
    writer.cancel();
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(writer); })));
  });
}

TEST(FaultTest, AChildThatFloodsItsPipeWaitsAndMemoryStaysFlat) {
  if (WEFT_ASAN || WEFT_TSAN) GTEST_SKIP() << "memory is counted by the sanitizer";
  weft::run([] {
    int pid = 0;
    {
      weft::Process child = weft::Process::start({"yes"}, {.stdout_ = weft::piped});
      pid = child.pid();
      std::string buffer(10'000, ' ');
      child.stdout_().read_exactly(buffer);
      const std::size_t memory = memory_in_use();
      for (int i = 0; i < 1'000; ++i) child.stdout_().read_exactly(buffer);
      weft::delay(10ms);  // nothing is read meanwhile
      EXPECT_LT(memory_in_use(), memory + 100'000);
    }
    while (!weft_test::is_collected(pid)) weft::delay(1ms);  // the Process has terminated it
  });
}

// A child inherits no descriptor, however it was opened, except its three standard streams.
TEST(FaultTest, NothingThatIsOpenReachesAChild) {
  const TemporaryDirectory directory;
  weft::run([&] {
    Connection both = Connection::make();
    Listener listener = Listener::unix_path(directory / "socket");
    weft::UdpSocket socket = weft::UdpSocket::bind("127.0.0.1", 0);
    auto pipe = weft::Pipe::create();
    auto pair = weft::UnixStream::pair();
    File file = File::open(directory / "file", File::write | File::create);
    weft::Stream output = weft::standard_output();
    weft::FileWatcher watcher{directory / ""};
    weft::Future<int> signal = weft::signal(SIGUSR1);
    signal.ignore();
    weft::Process sibling = weft::Process::start(
        {"cat"}, {.stdin_ = weft::piped, .stdout_ = weft::piped, .stderr_ = weft::piped});
    // 3 is the directory that ls reads.
    EXPECT_EQ(weft::exec({"ls", "/proc/self/fd"}).output, "0\n1\n2\n3\n");
    EXPECT_EQ(weft::exec_shell("ls /proc/self/fd").output, "0\n1\n2\n3\n");
    weft::Process lister = weft::Process::start({"ls", "/proc/self/fd"}, {.stdout_ = weft::piped});
    EXPECT_EQ(lister.stdout_().read_all(), "0\n1\n2\n3\n");
    EXPECT_EQ(lister.wait(), 0);
  });
}

TEST(FaultTest, PathsThatCannotBeAreErrorsWhereverTheyAreGiven) {
  const TemporaryDirectory directory;
  const std::string nul = (directory / "a") + std::string{"\0b", 2};
  const std::string name_too_long = directory / std::string(300, 'x');
  const std::string path_too_long = directory / [] {
    std::string path;
    while (path.size() < 5'000) path += "directory/";
    return path;
  }();
  weft::run([&] {
    for (const std::string& path : {nul, name_too_long, path_too_long}) {
      std::vector<std::pair<const char*, std::function<void()>>> ways{
          {"open", [&] { static_cast<void>(File::open(path)); }},
          {"create", [&] { static_cast<void>(File::open(path, File::write | File::create)); }},
          {"connect", [&] { static_cast<void>(weft::UnixStream::connect(path)); }},
          {"listen", [&] { static_cast<void>(Listener::unix_path(path)); }},
          {"watch", [&] { const weft::FileWatcher watcher{path}; }},
      };
      const std::vector<std::pair<const char*, std::function<void()>>> ways_of_children{
          {"run", [&] { static_cast<void>(weft::exec({path})); }},
          {"run there", [&] { static_cast<void>(weft::exec({"true"}, {.directory = path})); }},
          {"start", [&] { static_cast<void>(weft::Process::start({path})); }},
          {"start there",
           [&] { static_cast<void>(weft::Process::start({"true"}, {.directory = path})); }},
      };
      // Under valgrind only an error before the start of the child is seen.
      if (path == nul || !weft_test::is_under_valgrind()) {
        ways.insert(ways.end(), ways_of_children.begin(), ways_of_children.end());
      }
      for (const auto& [name, way] : ways) {
        const auto error = error_of(way);
        EXPECT_TRUE(is<std::system_error>(error) || is<weft::ValueError>(error))
            << name << " " << path << ": " << text(error);
        EXPECT_EQ(weft::stats().active_events, 0U) << name;
      }
    }
  });
}

/// Zeros in untouched pages, which cost no memory.
class ManyZeros {
 public:
  explicit ManyZeros(std::size_t size) : size_{size} {
    data_ = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  ~ManyZeros() { ::munmap(data_, size_); }
  ManyZeros(const ManyZeros&) = delete;
  ManyZeros& operator=(const ManyZeros&) = delete;
  [[nodiscard]] weft::ConstBytes bytes() const noexcept { return {data_, size_}; }
  [[nodiscard]] bool is_there() const noexcept { return data_ != MAP_FAILED; }

 private:
  std::size_t size_;
  void* data_;
};

constexpr std::size_t more_than_one_write = Io::max_write + 123'456;

// R-IO-14: the descriptor of a device (/dev/null) that takes everything at once.
TEST(FaultTest, AWriteOfMoreThanTwoGibibytesIsShortAndWriteAllGoesOn) {
  const ManyZeros zeros{more_than_one_write};
  if (!zeros.is_there()) GTEST_SKIP() << "not so much address space to be had";
  weft::testing::run([&] {
    const auto null = Io::adopt(::open("/dev/null", O_WRONLY | O_CLOEXEC), Io::Type::pipe);
    EXPECT_EQ(null->write_some(zeros.bytes()), Io::max_write);
    null->write_all(zeros.bytes());
  });
}

// R-IO-14
TEST(StressFaultTest, MoreThanTwoGibibytesArriveWhole) {
  const ManyZeros zeros{more_than_one_write};
  if (!zeros.is_there()) GTEST_SKIP() << "not so much address space to be had";
  weft::run([&] {
    auto pair = weft::UnixStream::pair();
    auto writer = weft::spawn([&] {
      pair.first.write_all(zeros.bytes());
      pair.first.close();
    });
    std::string buffer(1 << 20, ' ');
    std::size_t got = 0;
    while (const std::size_t n = pair.second.read_some(buffer)) got += n;
    EXPECT_EQ(got, more_than_one_write);
    weft::await(writer);
  });
}

// R-IO-14: a file, which a worker writes from a copy.
TEST(StressFaultTest, AFileTakesMoreThanTwoGibibytes) {
  const ManyZeros zeros{more_than_one_write};
  if (!zeros.is_there()) GTEST_SKIP() << "not so much address space to be had";
  weft::run([&] {
    File null = File::open("/dev/null", File::write);
    EXPECT_EQ(null.write_some(zeros.bytes()), Io::max_write);
    null.write_all(zeros.bytes());
  });
}

}  // namespace
