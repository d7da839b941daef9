// Loads a server and prints its costs: `server_load [options] -- SERVER ARGUMENT...`
//
// Starts the server, which prints "port <number>" first, opens N connections, and on each of them
// sends 64 bytes, waits until all are back, compares them, and sends the next. With --http it asks
// for a page instead, which must be "hello". Prints "key value" lines: CPU time of the server's
// process (all threads) per message, messages per second, and system calls of the server per
// message; where the kernel does not let us count those, a line "# " with the reason instead.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "system_calls.hpp"

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t message_size = 64;
constexpr std::size_t answer_size = 1024;  // the longest
constexpr std::string_view request = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n\r\n";

struct Options {
  std::size_t connections = 64;
  double seconds = 1.0;
  int server_core = -1;  // -1: any core
  bool http = false;
  std::vector<char*> server;
};

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error{errno, std::generic_category(), what};
}

Options parse(int argc, char** argv) {
  Options options;
  int at = 1;
  const auto value = [&]() -> std::string {
    if (at + 1 >= argc) throw std::runtime_error{std::string{"no value for "} + argv[at]};
    return argv[++at];
  };
  for (; at < argc; ++at) {
    const std::string option = argv[at];
    if (option == "--") {
      ++at;
      break;
    }
    if (option == "--connections") {
      options.connections = std::stoul(value());
    } else if (option == "--seconds") {
      options.seconds = std::stod(value());
    } else if (option == "--server-core") {
      options.server_core = std::stoi(value());
    } else if (option == "--http") {
      options.http = true;
    } else {
      throw std::runtime_error{"unknown option " + option};
    }
  }
  for (; at < argc; ++at) options.server.push_back(argv[at]);
  if (options.server.empty()) throw std::runtime_error{"no server given"};
  options.server.push_back(nullptr);
  return options;
}

/// A child process that is killed when this process ends.
class Child {
 public:
  Child(char* const* command, int core) {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe2");
    pid_ = ::fork();
    if (pid_ < 0) fail("fork");
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::dup2(ends[1], STDOUT_FILENO);
      if (core >= 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(static_cast<unsigned>(core), &set);
        ::sched_setaffinity(0, sizeof set, &set);
      }
      ::execvp(command[0], command);
      std::perror(command[0]);
      ::_exit(127);
    }
    ::close(ends[1]);
    output_ = ends[0];
  }
  ~Child() {
    if (pid_ > 0) stop(SIGKILL);
    if (output_ >= 0) ::close(output_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] pid_t pid() const noexcept { return pid_; }
  void stop(int signal) noexcept {
    ::kill(pid_, signal);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  /// The first line that the child prints.
  std::string line() const {
    std::string text;
    char next = 0;
    while (::read(output_, &next, 1) == 1 && next != '\n') text += next;
    return text;
  }

 private:
  pid_t pid_ = -1;
  int output_ = -1;
};

/// CPU time of another process, all its threads, to the nanosecond.
std::chrono::nanoseconds cpu_time(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (const int error = ::clock_getcpuclockid(process, &clock); error != 0) {
    errno = error;
    fail("clock_getcpuclockid");
  }
  if (::clock_gettime(clock, &time) != 0) fail("the server has gone");
  return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

class Load {
 public:
  Load(std::size_t connections, std::uint16_t port, bool http)
      : connections_(connections), http_{http} {
    epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (std::size_t i = 0; i < connections; ++i) {
      Connection& connection = connections_[i];
      connection.socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      if (connection.socket < 0) fail("socket");
      if (::connect(connection.socket, reinterpret_cast<const sockaddr*>(&address),
                    sizeof address) != 0) {
        fail("connect");
      }
      const int on = 1;
      ::setsockopt(connection.socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      ::fcntl(connection.socket, F_SETFL, O_NONBLOCK);
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.u64 = i;
      if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, connection.socket, &event) != 0) fail("epoll_ctl");
    }
    resume();
  }
  ~Load() {
    for (const Connection& connection : connections_) ::close(connection.socket);
    ::close(epoll_);
  }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  /// Sends and receives for `duration`; returns how many messages came back.
  std::uint64_t run(Clock::duration duration) {
    const std::uint64_t before = messages_;
    const Clock::time_point end = Clock::now() + duration;
    while (Clock::now() < end) receive_some();
    return messages_ - before;
  }
  /// Receives all outstanding messages without sending; returns how many.
  std::uint64_t drain() {
    const std::uint64_t before = messages_;
    sending_ = false;
    while (on_their_way_ > 0) receive_some();
    return messages_ - before;
  }
  void resume() {
    sending_ = true;
    for (Connection& connection : connections_) send_next(connection);
  }

 private:
  struct Connection {
    int socket = -1;
    std::uint64_t number = 0;  // of the outstanding message
    std::size_t received = 0;
    std::array<char, message_size> sent{};
    std::array<char, answer_size> back{};
  };

  void send_next(Connection& connection) {
    ++on_their_way_;
    ++connection.number;
    connection.received = 0;
    std::string_view message = request;
    if (!http_) {
      for (std::size_t i = 0; i < message_size; ++i) {
        connection.sent[i] = static_cast<char>(connection.number + i);
      }
      message = {connection.sent.data(), message_size};
    }
    const ssize_t sent = ::send(connection.socket, message.data(), message.size(), MSG_NOSIGNAL);
    if (sent != static_cast<ssize_t>(message.size())) fail("send");
  }

  /// Whether the answer is complete; throws if an echo differs from the message.
  [[nodiscard]] bool is_answered(const Connection& connection) const {
    const std::string_view back{connection.back.data(), connection.received};
    if (http_) return back.starts_with("HTTP/1.1 200 OK\r\n") && back.ends_with("\r\n\r\nhello");
    if (back.size() < message_size) return false;
    if (back != std::string_view{connection.sent.data(), message_size}) {
      throw std::runtime_error{"the echo is not what was sent"};
    }
    return true;
  }

  void receive_some() {
    const int count = ::epoll_wait(epoll_, events_.data(), static_cast<int>(events_.size()), 5000);
    if (count < 0 && errno != EINTR) fail("epoll_wait");
    if (count == 0) throw std::runtime_error{"the server has not answered for 5 seconds"};
    for (int i = 0; i < count; ++i) {
      receive(connections_[events_[static_cast<std::size_t>(i)].data.u64]);
    }
  }

  void receive(Connection& connection) {
    const ssize_t got = ::recv(connection.socket, connection.back.data() + connection.received,
                               (http_ ? answer_size : message_size) - connection.received, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) fail("recv");
    connection.received += static_cast<std::size_t>(got);
    if (!is_answered(connection)) return;
    ++messages_;
    --on_their_way_;
    if (sending_) send_next(connection);
  }

  std::vector<Connection> connections_;
  std::array<epoll_event, 256> events_{};
  int epoll_ = -1;
  std::uint64_t messages_ = 0;
  std::size_t on_their_way_ = 0;
  bool sending_ = false;
  bool http_;
};

Clock::duration in_clock(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>{seconds});
}

/// Moves this process to another core than the server's, if there is one.
void make_room(int server_core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (server_core < 0 || ::sched_getaffinity(0, sizeof set, &set) != 0) return;
  CPU_CLR(static_cast<unsigned>(server_core), &set);
  if (CPU_COUNT(&set) > 0) ::sched_setaffinity(0, sizeof set, &set);
}

int measure(const Options& options) {
  rlimit descriptors{};
  ::getrlimit(RLIMIT_NOFILE, &descriptors);
  descriptors.rlim_cur = descriptors.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &descriptors);

  const Child server{options.server.data(), options.server_core};
  const std::string hello = server.line();
  int port = 0;
  if (std::sscanf(hello.c_str(), "port %d", &port) != 1 || port <= 0 || port > 65535) {
    throw std::runtime_error{"the server did not say its port but: " + hello};
  }
  make_room(options.server_core);
  Load load{options.connections, static_cast<std::uint16_t>(port), options.http};
  load.run(in_clock(std::min(options.seconds / 4, 0.5)));  // warm
  const auto before = cpu_time(server.pid());
  const Clock::time_point start = Clock::now();
  const std::uint64_t messages = load.run(in_clock(options.seconds));
  const auto wall = std::chrono::duration<double>(Clock::now() - start).count();
  const auto cpu = cpu_time(server.pid()) - before;
  load.drain();
  // Counted in a separate phase, which begins and ends without outstanding messages.
  const SystemCalls system_calls{server.pid()};
  load.resume();
  const std::uint64_t counted = load.run(in_clock(options.seconds / 4)) + load.drain();
  const auto calls = system_calls.count();
  std::printf("cpu_ns %.1f\n", static_cast<double>(cpu.count()) / static_cast<double>(messages));
  std::printf("per_second %.0f\n", static_cast<double>(messages) / wall);
  if (calls) {
    const auto each = static_cast<double>(*calls) / static_cast<double>(counted);
    std::printf("system_calls %.3f\n", each);
  } else {
    std::printf("# system calls cannot be counted here: %s\n", system_calls.obstacle().c_str());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return measure(parse(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "server_load: %s\n", error.what());
    return 1;
  }
}
