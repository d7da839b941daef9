// Many clients in one process: `crowd PORT`, with commands on standard input. Each is answered by
// one line.
//
//   open N            opens N connections              -> opened N
//   ask TARGET        each asks for TARGET once        -> answered N
//   echo              each sends 64 bytes, wants back  -> answered N
//   close             closes them                      -> closed N
//   slow N SECONDS    opens N connections in SECONDS, each of which sends one byte per second of a
//                     header that never ends; a connection that the server closes is opened again
//                                                      -> slow N
//   pass SECONDS      lets the slow ones go on         -> passed
//   fast              closes the slow ones             -> fast N (how often the server closed one)
//   measure TARGET SECONDS PAUSE
//                     each of the open ones asks for TARGET every PAUSE milliseconds, or when it
//                     has its answer                       -> measured COUNT P50 P99 (nanoseconds)
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <iostream>
#include <iterator>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error{errno, std::generic_category(), what};
}

/// A socket that connects to 127.0.0.1, from one of several local addresses, so that ports do not
/// run out.
int open_socket(std::uint16_t port, bool may_block) {
  static std::uint32_t turn = 0;
  const int number = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (number < 0) fail("socket");
  const int on = 1;
  ::setsockopt(number, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::setsockopt(number, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1 + ++turn % 8);
  if (::bind(number, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    fail("bind");
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (!may_block) ::fcntl(number, F_SETFL, O_NONBLOCK);
  if (::connect(number, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 &&
      errno != EINPROGRESS) {
    fail("connect");
  }
  ::fcntl(number, F_SETFL, O_NONBLOCK);
  return number;
}

/// The length of the answer at the start of `text`, or 0 while it is incomplete.
std::size_t answer_size(std::string_view text) {
  constexpr std::string_view length = "Content-Length: ";
  const std::size_t head = text.find("\r\n\r\n");
  if (head == std::string_view::npos) return 0;
  if (!text.starts_with("HTTP/1.1 200 ")) {
    throw std::runtime_error{"an answer begins with " + std::string{text.substr(0, 60)}};
  }
  const std::size_t at = text.find(length);
  if (at > head) throw std::runtime_error{"an answer has no length"};
  const std::size_t size = head + 4 + std::strtoul(text.data() + at + length.size(), nullptr, 10);
  return text.size() < size ? 0 : size;
}

class Crowd {
 public:
  explicit Crowd(std::uint16_t port) : port_{port}, epoll_{::epoll_create1(EPOLL_CLOEXEC)} {}
  ~Crowd() { ::close(epoll_); }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

  std::size_t open(std::size_t count) {
    while (clients_.size() < count) {
      Client& client = clients_.emplace_back();
      client.socket = open_socket(port_, true);
      watch(client.socket, EPOLLIN, clients_.size() - 1, EPOLL_CTL_ADD);
    }
    return clients_.size();
  }

  std::size_t close() {
    for (const Client& client : clients_) ::close(client.socket);
    return std::exchange(clients_, {}).size();
  }

  /// Sends `request` once from every client, and waits for the answers: `echoed` bytes, or HTTP if
  /// that is 0.
  std::size_t ask(const std::string& request, std::size_t echoed) {
    echoed_ = echoed;
    answered_ = 0;
    for (Client& client : clients_) {
      // Not all at once: the test is not about the buffers and the queue of the server.
      send(client, request);
      while (under_way_ > 1000) receive_some(5s);
    }
    while (under_way_ > 0) receive_some(5s);
    return answered_;
  }

  struct Measured {
    std::size_t count;
    std::int64_t median;
    std::int64_t p99;
  };
  Measured measure(const std::string& request, std::chrono::duration<double> time,
                   Clock::duration pause) {
    echoed_ = 0;
    latencies_.clear();
    // The first requests are spread over the pause, as those of independent clients.
    const Clock::time_point begin = Clock::now();
    const Clock::time_point end = begin + std::chrono::duration_cast<Clock::duration>(time);
    for (std::size_t i = 0; i < clients_.size(); ++i) {
      waiting_.push_back({begin + pause * i / clients_.size(), i});
    }
    again_ = true;
    pause_ = pause;
    while (Clock::now() < end) {
      while (!waiting_.empty() && waiting_.front().due <= Clock::now()) {
        Client& client = clients_[waiting_.front().client];
        client.due = waiting_.front().due;
        waiting_.pop_front();
        send(client, request);
      }
      drip();
      rest(waiting_.empty() ? end : std::min(end, waiting_.front().due));
    }
    again_ = false;
    waiting_.clear();
    while (under_way_ > 0) receive_some(5s);
    if (latencies_.empty()) throw std::runtime_error{"no client was answered"};
    std::sort(latencies_.begin(), latencies_.end());
    return {latencies_.size(), latencies_[latencies_.size() / 2],
            latencies_[latencies_.size() * 99 / 100]};
  }

  /// Opens the slow connections one after the other, so that the server does not close all at once.
  std::size_t slow(std::size_t count, std::chrono::duration<double> time) {
    const Clock::time_point begin = Clock::now();
    slow_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto wait = time * (static_cast<double>(i) / static_cast<double>(count));
      pass_until(begin + std::chrono::duration_cast<Clock::duration>(wait));
      Slow& slow = slow_.emplace_back();
      slow.socket = open_socket(port_, true);
      slow.due = Clock::now();
      queue_.push_front(i);  // sends its first byte now
      watch(slow.socket, EPOLLIN | EPOLLRDHUP, slow_flag | i, EPOLL_CTL_ADD);
    }
    return count;
  }
  /// Lets the slow clients go on until `end`, without other requests.
  void pass_until(Clock::time_point end) {
    while (Clock::now() < end) {
      drip();
      rest(end);
    }
  }
  std::size_t fast() {
    for (const Slow& slow : slow_) ::close(slow.socket);
    slow_.clear();
    queue_.clear();
    return std::exchange(sent_away_, 0);
  }

 private:
  struct Client {
    int socket = -1;
    Clock::time_point due;  // when its request should be sent
    Clock::time_point asked;
    std::string received;
  };
  struct Slow {
    int socket = -1;
    std::size_t said = 0;
    Clock::time_point due;
  };
  struct Waiting {
    Clock::time_point due;
    std::size_t client;
  };
  static constexpr std::uint64_t slow_flag = std::uint64_t{1} << 32U;

  void watch(int socket, std::uint32_t events, std::uint64_t data, int operation) const {
    epoll_event event{};
    event.events = events;
    event.data.u64 = data;
    if (::epoll_ctl(epoll_, operation, socket, &event) != 0) fail("epoll_ctl");
  }

  void send(Client& client, const std::string& request) {
    client.asked = Clock::now();
    client.received.clear();
    if (::send(client.socket, request.data(), request.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(request.size())) {
      fail("send");
    }
    ++under_way_;
  }

  /// Waits for answers; throws if there are none.
  void receive_some(Clock::duration patience) {
    if (!take_some(patience)) throw std::runtime_error{"the server does not answer"};
  }
  /// Reads answers until `then`, or until a slow client has to send a byte.
  void rest(Clock::time_point then) {
    if (!queue_.empty()) then = std::min(then, slow_[queue_.front()].due);
    take_some(std::max<Clock::duration>(then - Clock::now(), 0s));
  }
  bool take_some(Clock::duration patience) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(patience);
    const timespec limit{seconds.count(), (patience - seconds).count()};
    const int count =
        ::epoll_pwait2(epoll_, events_.data(), static_cast<int>(events_.size()), &limit, nullptr);
    if (count < 0 && errno != EINTR) fail("epoll_pwait2");
    for (int i = 0; i < count; ++i) {
      const std::uint64_t who = events_[static_cast<std::size_t>(i)].data.u64;
      if ((who & slow_flag) != 0) {
        come_back(who & ~slow_flag);
      } else {
        receive_from(who);
      }
    }
    return count > 0;
  }

  void receive_from(std::size_t number) {
    Client& client = clients_[number];
    const ssize_t got = ::recv(client.socket, piece_.data(), piece_.size(), 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got < 0) fail("recv");
    if (got == 0) throw std::runtime_error{"the server has closed a connection"};
    client.received.append(piece_.data(), static_cast<std::size_t>(got));
    const std::size_t size = echoed_ > 0 ? echoed_ : answer_size(client.received);
    if (size == 0 || client.received.size() < size) return;
    const Clock::time_point now = Clock::now();
    --under_way_;
    ++answered_;
    client.received = {};  // frees the memory of the answer
    if (again_) {
      latencies_.push_back((now - client.asked).count());
      wait_until(std::max(now, client.due + pause_), number);
    }
  }

  /// Inserts by due time; searched from the end, because most are the latest.
  void wait_until(Clock::time_point due, std::size_t number) {
    auto at = waiting_.end();
    while (at != waiting_.begin() && std::prev(at)->due > due) --at;
    waiting_.insert(at, {due, number});
  }

  /// Sends one byte from each slow client that is due; few at a time, so that clients that are
  /// measured do not wait for this.
  void drip() {
    static constexpr std::string_view start = "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ";
    const Clock::time_point now = Clock::now();
    for (int i = 0; i < 3 && !queue_.empty(); ++i) {
      Slow& next = slow_[queue_.front()];
      if (next.due > now) return;
      queue_.push_back(queue_.front());
      queue_.pop_front();
      next.due += 1s;  // not from now: clients that were late once would send together ever after
      const char byte = next.said < start.size() ? start[next.said] : 'a';
      // A refused client connects again; one that is not connected yet sends the byte again.
      if (::send(next.socket, &byte, 1, MSG_NOSIGNAL) == 1) ++next.said;
    }
  }

  void come_back(std::size_t number) {
    Slow& slow = slow_[number];
    ::close(slow.socket);
    slow.socket = open_socket(port_, false);
    slow.said = 0;
    watch(slow.socket, EPOLLIN | EPOLLRDHUP, slow_flag | number, EPOLL_CTL_ADD);
    ++sent_away_;
  }

  std::uint16_t port_;
  int epoll_;
  std::array<epoll_event, 64> events_{};
  std::array<char, 65536> piece_{};
  std::deque<Client> clients_;
  std::size_t echoed_ = 0;
  std::size_t under_way_ = 0;
  std::size_t answered_ = 0;
  bool again_ = false;
  Clock::duration pause_{};
  std::deque<Waiting> waiting_;  // in the order of `due`
  std::vector<std::int64_t> latencies_;
  std::vector<Slow> slow_;
  std::deque<std::size_t> queue_;  // the slow clients in the order of `due`
  std::size_t sent_away_ = 0;
};

std::string get(const std::string& target) {
  return "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
}

/// Executes the command `line` and returns the answer.
std::string obey(Crowd& crowd, const std::string& line) {
  std::istringstream words{line};
  std::string command;
  words >> command;
  std::string target;
  std::size_t number = 0;
  if (command == "open" && words >> number) return "opened " + std::to_string(crowd.open(number));
  if (command == "close") return "closed " + std::to_string(crowd.close());
  if (command == "fast") return "fast " + std::to_string(crowd.fast());
  if (command == "ask" && words >> target) {
    return "answered " + std::to_string(crowd.ask(get(target), 0));
  }
  if (command == "echo") return "answered " + std::to_string(crowd.ask(std::string(64, 'x'), 64));
  double seconds = 0;
  if (command == "slow" && words >> number >> seconds) {
    return "slow " + std::to_string(crowd.slow(number, std::chrono::duration<double>{seconds}));
  }
  if (command == "pass" && words >> number) {
    crowd.pass_until(Clock::now() + std::chrono::seconds{number});
    return "passed";
  }
  std::int64_t pause = 0;
  if (command == "measure" && words >> target >> seconds >> pause) {
    const Crowd::Measured measured = crowd.measure(
        get(target), std::chrono::duration<double>{seconds}, std::chrono::milliseconds{pause});
    return "measured " + std::to_string(measured.count) + " " + std::to_string(measured.median) +
           " " + std::to_string(measured.p99);
  }
  throw std::runtime_error{"unknown command: " + line};
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count != 2) throw std::runtime_error{"usage: crowd PORT"};
    rlimit descriptors{};
    ::getrlimit(RLIMIT_NOFILE, &descriptors);
    descriptors.rlim_cur = descriptors.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &descriptors);
    Crowd crowd{static_cast<std::uint16_t>(std::stoul(arguments[1]))};
    for (std::string line; std::getline(std::cin, line);) {
      std::printf("%s\n", obey(crowd, line).c_str());
      std::fflush(stdout);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "crowd: %s\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
