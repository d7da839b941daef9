#include <array>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <thread>

#include <gtest/gtest.h>
#include <uv.h>

#include "context/sanitizer.hpp"
#include "counted_calls.hpp"
#include "descriptors.hpp"
#include "weft/extend/clock.hpp"
#include "weft/extend/io.hpp"
#include "weft/weft.hpp"

namespace {

constexpr std::string_view message = "sixteen letters!";
constexpr int warm_up = 10;
constexpr int requests = 100;

/// Sends one request after the other, each when the previous answer has arrived.
void ask(int socket) {
  ::fcntl(socket, F_SETFL, 0);
  std::array<char, message.size()> answer{};
  for (int i = 0; i < warm_up + requests + 1; ++i) {
    if (::send(socket, message.data(), message.size(), MSG_NOSIGNAL) < 0) return;
    if (::recv(socket, answer.data(), answer.size(), MSG_WAITALL) <= 0) return;
  }
  ::shutdown(socket, SHUT_RDWR);
}

/// Called for each answer; marks where counting begins and ends.
void answered() {
  static int count = 0;  // in a process of its own
  ++count;
  if (count == warm_up || count == warm_up + requests) weft_test::mark_calls();
}

/// A clock that stands still: otherwise, when the thread loses the processor, the scheduler polls
/// the reactor before a coroutine parks.
class StoppedClock final : public weft::Clock {
 public:
  [[nodiscard]] weft::TimePoint now() noexcept override { return weft::TimePoint{}; }
};

void echo_with_weft(int socket) {
  StoppedClock clock;
  weft::Options options;
  options.clock = &clock;
  weft::run(
      [&] {
        const auto io = weft::Io::adopt(socket);
        std::array<char, 1024> buffer{};
        while (const std::size_t size = io->read_some(buffer)) {
          io->write_all(std::string_view{buffer.data(), size});
          answered();
        }
      },
      options);
}

void echo_with_libuv(int socket) {
  static std::array<char, 1024> buffer;
  uv_tcp_t connection{};
  uv_tcp_init(uv_default_loop(), &connection);
  uv_tcp_open(&connection, socket);
  uv_read_start(
      reinterpret_cast<uv_stream_t*>(&connection),
      [](uv_handle_t*, std::size_t, uv_buf_t* room) {
        *room = uv_buf_init(buffer.data(), buffer.size());
      },
      [](uv_stream_t* stream, ssize_t size, const uv_buf_t* got) {
        if (size <= 0) return uv_close(reinterpret_cast<uv_handle_t*>(stream), nullptr);
        const uv_buf_t all = uv_buf_init(got->base, static_cast<unsigned>(size));
        uv_try_write(stream, &all, 1);
        answered();
      });
  uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}

std::optional<std::uint64_t> calls_of(void (*echo)(int)) {
  weft_test::Ends ends = weft_test::Ends::tcp();
  std::thread client{[&] { ask(ends.there.get()); }};
  const auto calls = weft_test::count_system_calls([&] {
    ends.there.reset();
    echo(ends.here.release());
  });
  ends.here.reset();
  client.join();
  return calls;
}

// R-REA-9: sleeping in an epoll of weft takes no more system calls than sleeping in libuv.
TEST(LinuxSystemCalls, OfARequestAreAWaitAReadAndAWriteAsWithBareLibuv) {
  if (WEFT_ASAN || WEFT_TSAN) GTEST_SKIP() << "a sanitizer makes calls of its own";
  if (weft_test::is_under_valgrind()) GTEST_SKIP() << "valgrind does not let us trace";
  const auto libuv = calls_of(&echo_with_libuv);
  if (!libuv) GTEST_SKIP() << "the system does not let us trace";
  EXPECT_EQ(libuv, 3U * requests);
  EXPECT_EQ(calls_of(&echo_with_weft), libuv);
}

}  // namespace
