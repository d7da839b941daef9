// Name servers that fail or do not answer: real servers, on the loopback of a network namespace.
#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sched.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;

bool write_file(const char* path, const std::string& text) {
  const int file = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return false;
  const bool written = ::write(file, text.data(), text.size()) == ssize_t(text.size());
  ::close(file);
  return written;
}

/// Enters a new network namespace, with a resolver file that names 127.0.0.1.
bool enter_private_network() {
  const uid_t user = ::getuid();
  const gid_t group = ::getgid();
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET) != 0) return false;
  static_cast<void>(write_file("/proc/self/setgroups", "deny"));
  if (!write_file("/proc/self/uid_map", "0 " + std::to_string(user) + " 1")) return false;
  if (!write_file("/proc/self/gid_map", "0 " + std::to_string(group) + " 1")) return false;
  if (::mount("none", "/", "none", MS_REC | MS_PRIVATE, nullptr) != 0) return false;
  char resolver[] = "/tmp/weft-resolver-XXXXXX";
  const int file = ::mkstemp(resolver);
  if (file < 0) return false;
  ::close(file);
  const bool mounted =
      write_file(resolver, "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n") &&
      ::mount(resolver, "/etc/resolv.conf", "none", MS_BIND, nullptr) == 0;
  ::unlink(resolver);
  if (!mounted) return false;
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq loopback{};
  std::strcpy(loopback.ifr_name, "lo");
  loopback.ifr_flags = IFF_UP | IFF_RUNNING;
  const bool up = ::ioctl(socket, SIOCSIFFLAGS, &loopback) == 0;
  ::close(socket);
  return up;
}

/// A name server that counts the queries, and answers that there is no such name, or not at all.
class NameServer {
 public:
  enum class Answer : std::uint8_t { no_such_name, nothing };
  explicit NameServer(Answer answer) : answer_{answer} {
    socket_ = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(53);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      throw std::system_error{errno, std::generic_category(), "cannot be a name server"};
    }
    thread_ = std::thread{[this] { serve(); }};
  }
  ~NameServer() {
    ::shutdown(socket_, SHUT_RDWR);
    thread_.join();
    ::close(socket_);
  }
  NameServer(const NameServer&) = delete;
  NameServer& operator=(const NameServer&) = delete;
  [[nodiscard]] int questions() const noexcept { return questions_; }

 private:
  void serve() {
    std::array<unsigned char, 512> message{};
    sockaddr_in from{};
    for (;;) {
      socklen_t size = sizeof from;
      const ssize_t got = ::recvfrom(socket_, message.data(), message.size(), 0,
                                     reinterpret_cast<sockaddr*>(&from), &size);
      if (got < 12) return;
      ++questions_;
      if (answer_ == Answer::nothing) continue;
      message[2] = 0x81;  // an answer
      message[3] = 0x83;  // no such name
      ::sendto(socket_, message.data(), std::size_t(got), 0,
               reinterpret_cast<const sockaddr*>(&from), size);
    }
  }

  Answer answer_;
  int socket_ = -1;
  std::atomic<int> questions_{0};
  std::thread thread_;
};

/// Runs `body` in a child process with a network of its own; returns what went wrong, or "-" if
/// there can be no such network.
std::string in_private_network(const std::function<std::string()>& body) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    std::string answer = "-";
    if (enter_private_network()) {
      try {
        answer = body();
      } catch (const std::exception& error) {
        answer = error.what();
      } catch (...) {
        answer = "an unknown exception";
      }
    }
    static_cast<void>(!::write(ends[1], answer.data(), answer.size()));
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string answer;
  std::array<char, 512> part{};
  for (ssize_t got = 0; (got = ::read(ends[0], part.data(), part.size())) > 0;) {
    answer.append(part.data(), std::size_t(got));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!WIFEXITED(status)) return "the child crashed with status " + std::to_string(status);
  return answer;
}

// R-DNS-3
TEST(DnsFailure, ANameThatTheServerDoesNotKnow) {
  const std::string answer = in_private_network([]() -> std::string {
    NameServer server{NameServer::Answer::no_such_name};
    return weft::run([&]() -> std::string {
      try {
        static_cast<void>(weft::resolve("weft.example", "80"));
        return "no error";
      } catch (const weft::DnsError& error) {
        if (error.code() != std::error_code{EAI_NONAME, weft::dns_category()}) return "wrong code";
        if (server.questions() == 0) return "the server was not asked";
        return error.what();
      }
    });
  });
  if (answer == "-") GTEST_SKIP() << "no network namespaces here";
  EXPECT_EQ(answer, std::string{"DNS error: "} + gai_strerror(EAI_NONAME) + " (weft.example:80)");
}

// R-DNS-3: the timeout of the resolver, one second, ends this lookup.
TEST(RealTimeDnsFailure, AServerThatSaysNothing) {
  const std::string answer = in_private_network([]() -> std::string {
    NameServer server{NameServer::Answer::nothing};
    return weft::run([&]() -> std::string {
      try {
        static_cast<void>(weft::resolve("weft.example"));
        return "no error";
      } catch (const weft::DnsError& error) {
        return error.what();
      }
    });
  });
  if (answer == "-") GTEST_SKIP() << "no network namespaces here";
  EXPECT_EQ(answer, std::string{"DNS error: "} + gai_strerror(EAI_AGAIN) + " (weft.example)");
}

// R-DNS-5, trap 16
TEST(RealTimeDnsFailure, ACancellationDoesNotWaitForAServerThatSaysNothing) {
  const std::string answer = in_private_network([]() -> std::string {
    NameServer server{NameServer::Answer::nothing};
    return weft::run([&]() -> std::string {
      const auto before = weft::now();
      try {
        static_cast<void>(weft::resolve("weft.example", "", weft::timeout(20ms)));
        return "no error";
      } catch (const weft::TimedOut&) {
      }
      const int asked = server.questions();
      auto lookup = weft::spawn([] { static_cast<void>(weft::resolve("weft.example")); });
      while (server.questions() == asked) weft::delay(1ms);
      lookup.cancel();
      try {
        weft::await(lookup);
        return "not cancelled";
      } catch (const weft::Cancelled&) {
      }
      if (weft::now() - before > 700ms) return "it took too long";
      return "";
    });
  });
  if (answer == "-") GTEST_SKIP() << "no network namespaces here";
  EXPECT_EQ(answer, "");
}

}  // namespace
