#include <array>
#include <cstdint>
#include <exception>
#include <fcntl.h>
#include <ostream>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "allocations.hpp"
#include "descriptors.hpp"
#include "failures.hpp"
#include "support.hpp"
#include "temporary.hpp"
#include "weft/extend/io_request.hpp"

// Each allocation of an operation on a stream is made to fail, one in each run. run() must return
// or throw, no descriptor stay open, no memory be lost, and the next run must work.
namespace stream_out_of_memory_test {

using namespace std::chrono_literals;
using weft::File;
using weft::Io;
using weft::IoRequest;
using weft::Ref;
using weft::UnixStream;
using weft_test::Allocations;
using weft_test::quiet;

struct Scenario {
  const char* name;
  void (*body)();
};
void PrintTo(const Scenario& scenario, std::ostream* out) { *out << scenario.name; }

int open_descriptors() {
  int count = 0;
  for (int number = 0; number < 256; ++number) count += weft_test::is_open(number) ? 1 : 0;
  return count;
}

const std::string& path() {
  static const weft_test::TemporaryDirectory directory;
  static const std::string file = directory / "file";
  return file;
}

void conversation() {
  auto both = UnixStream::pair();
  auto reader = weft::spawn([&] {
    std::array<char, 3> three{};
    both.first.read_exactly(three);
    static_cast<void>(both.first.read_line());
    static_cast<void>(both.first.read_all());
  });
  both.second.write_all("one two\nthree");
  weft::suspend();
  both.second.close();
  weft::await(reader);
}

void pipes() {
  auto both = weft::Pipe::create();
  both.second.write_all("text");
  both.second.close();
  static_cast<void>(both.first.read_all());
}

void connection() {
  weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
  weft::with_scope([&](weft::Scope& scope) {  // the server ends before its listener is destroyed
    scope.spawn([&] {
      weft::TcpStream stream = listener.accept(weft::timeout(1s));
      stream.write_all("hello\n");
    });
    weft::TcpStream client = weft::TcpStream::connect("127.0.0.1", listener.port());
    static_cast<void>(client.read_line(weft::timeout(1s)));
  });
}

void requests() {
  auto both = UnixStream::pair();
  both.first.io().set_option(SOL_SOCKET, SO_SNDBUF, 1);
  const Ref<IoRequest> first = both.first.io().write(std::string(20'000, 'x'));
  const Ref<IoRequest> second = both.first.io().write(std::vector<std::string>{"a", "b"});
  const Ref<IoRequest> read = both.second.io().read_multishot(1'000);
  while (!second->is_completed()) weft::await(*read, weft::timeout(1s));
  both.first.close();
  while (!read->is_completed()) weft::await(*read, weft::timeout(1s));
}

int given_out = 0;

void forgotten() {
  auto both = UnixStream::pair();
  weft_test::fill(both.first.descriptor());
  for (int i = 0; i < 2; ++i) {
    ++given_out;
    both.first.io().write_and_forget("x", [] { --given_out; });
  }
  weft_test::drain(both.second.descriptor());
  weft::delay(1ms);
}

void broken() {
  auto both = UnixStream::pair();
  both.first.io().set_peer(weft::Address::parse("127.0.0.1", 12345));  // a name that needs memory
  both.second.close();
  const Ref<IoRequest> request = both.first.io().write("x");
  if (!request->is_completed()) weft::await(*request);
}

void files() {
  File file = File::open(path(), File::read | File::write | File::create | File::truncate);
  file.write_all("one\ntwo\n");
  file.flush();
  file.seek(0);
  static_cast<void>(file.read_line());
  file.write_all("2");
  static_cast<void>(file.read_all());
  static_cast<void>(file.size());
}

void cancelled() {
  File file = File::open(path(), File::read | File::write | File::create | File::truncate);
  auto writer = weft::spawn([&] { file.write_all("text"); });
  auto opener = weft::spawn([&] { const File opened = File::open(path()); });
  weft::suspend();
  writer.cancel();
  opener.cancel();
}

void sent() {
  auto both = UnixStream::pair();
  File file = File::open(path(), File::read | File::write | File::create | File::truncate);
  file.write_all(std::string(10'000, 'x'));
  const Ref<IoRequest> request = file.io().send_file(both.first.io(), 0, 10'000);
  weft::await(*request, weft::timeout(1s));
}

void gathered() {
  auto both = UnixStream::pair();
  both.first.write_gathered({"head", "body"});
  File file = File::open(path(), File::write | File::create | File::truncate);
  file.write_gathered({"head", "body"});
}

void handed_over() {
  auto both = UnixStream::pair();
  both.second.write_all("line\nrest");
  static_cast<void>(both.first.read_line());
  const std::string ahead = both.first.take_read_ahead();
  weft_test::OwnDescriptor number{both.first.give_away()};
  const UnixStream other = UnixStream::adopt(number.get(), ahead);
  static_cast<void>(number.release());
}

void collected() {
  weft::FileWriter writer{File::open(path(), File::write | File::create | File::truncate), 10};
  for (const char* text : {"some text", "and more", "to the end"}) writer.write(text);
  writer.flush();
  writer.write("left to the destructor");
}

void paths() {
  static const std::string directory = path() + ".directory";
  static const std::string renamed = path() + ".renamed";
  const struct CleanUp {
    ~CleanUp() {
      ::rmdir(directory.c_str());
      ::rmdir(renamed.c_str());
    }
  } clean_up;
  weft::fs::mkdir(directory);
  weft::fs::rename(directory, renamed);
  static_cast<void>(weft::fs::readdir(renamed));
  static_cast<void>(weft::fs::try_stat(directory));
  auto remover = weft::spawn([&] { weft::fs::rmdir(renamed); });
  weft::suspend();
  remover.cancel();
}

class StreamOutOfMemory : public ::testing::TestWithParam<Scenario> {};

// R-IO-15, R-IO-19, R-KIND-4
TEST_P(StreamOutOfMemory, LeavesNothingBehindWhateverAllocationFails) {
  if (!Allocations::are_counted()) GTEST_SKIP() << "allocations cannot be made to fail here";
  const Scenario& scenario = GetParam();
  const auto run = [&](std::uint64_t failing) {
    weft::testing::run(
        [&] {
          if (failing > 0) Allocations::fail_at(failing);
          try {
            scenario.body();
          } catch (const std::system_error&) {
          }
        },
        quiet());
  };
  static_cast<void>(path());
  for (int i = 0; i < 2; ++i) run(0);  // objects that are created once for all exist after this
  const int open = open_descriptors();
  for (std::uint64_t k = 1;; ++k) {
    ASSERT_LT(k, 10'000U);
    bool failed = false;
    std::uint64_t live = 0;
    for (int i = 0; i < 2; ++i) {  // the first run may create an object that stays
      try {
        run(k);
      } catch (const weft::Cancelled&) {
      } catch (const std::exception&) {
      }
      failed = Allocations::failed();
      Allocations::fail_never();
      const weft::Stats stats = weft::stats();
      ASSERT_EQ(stats.coroutines, 0U) << "allocation " << k;
      ASSERT_EQ(stats.active_events, 0U) << "allocation " << k;
      ASSERT_EQ(open_descriptors(), open) << "allocation " << k;
      ASSERT_EQ(given_out, 0) << "allocation " << k;
      run(0);
      if (i == 0) live = Allocations::live();
    }
    ASSERT_EQ(Allocations::live(), live) << "allocation " << k;
    if (!failed) break;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, StreamOutOfMemory,
    ::testing::Values(Scenario{"conversation", conversation}, Scenario{"pipes", pipes},
                      Scenario{"connection", connection}, Scenario{"requests", requests},
                      Scenario{"forgotten", forgotten}, Scenario{"broken", broken},
                      Scenario{"files", files}, Scenario{"cancelled", cancelled},
                      Scenario{"sent", sent}, Scenario{"gathered", gathered},
                      Scenario{"handed_over", handed_over}, Scenario{"collected", collected},
                      Scenario{"paths", paths}),
    [](const auto& one) { return std::string{one.param.name}; });

}  // namespace stream_out_of_memory_test
