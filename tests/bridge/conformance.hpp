#pragma once

#include <cerrno>
#include <chrono>
#include <fstream>
#include <functional>
#include <netinet/in.h>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <thread>
#include <utility>

#include "bridged.hpp"
#include "foreign/calls.hpp"
#include "temporary.hpp"

// Each case is run as it is, and in a coroutine with the bridge: results, errno and what else can
// be seen must be the same. A partner on a thread of its own does what the call waits for.
namespace weft_test {

/// What a case has seen, as a text to compare.
class Seen {
 public:
  Seen() { errno = untouched; }
  /// The result of a call, and errno if it failed, or if the call has changed it nevertheless.
  template <class T>
  Seen& call(const char* name, T result) {
    const int error = errno;
    text_ << name << "=" << result;
    if (result < 0 || error != untouched) text_ << " errno=" << error;
    text_ << "\n";
    errno = untouched;
    return *this;
  }
  template <class T>
  Seen& note(const char* name, const T& value) {
    text_ << name << "=" << value << "\n";
    return *this;
  }
  [[nodiscard]] std::string text() const { return text_.str(); }

 private:
  static constexpr int untouched = 7'777;
  std::ostringstream text_;
};

/// Does something a little later, when the call waits.
class Partner {
 public:
  explicit Partner(std::function<void()> act)
      : thread_{[act = std::move(act)] {
          std::this_thread::sleep_for(std::chrono::milliseconds{20});
          act();
        }} {}
  ~Partner() { thread_.join(); }
  Partner(const Partner&) = delete;
  Partner& operator=(const Partner&) = delete;

 private:
  std::thread thread_;
};

struct Case {
  const char* name;
  void (*run)(Seen&);
};

inline std::ostream& operator<<(std::ostream& out, const Case& one) { return out << one.name; }

inline void send_text(int to, std::string_view text) {
  ::send(to, text.data(), text.size(), MSG_NOSIGNAL);
}

inline void set_timeout(int fd, int option, long microseconds) {
  const timeval value{microseconds / 1'000'000, microseconds % 1'000'000};
  foreign::setsockopt(fd, SOL_SOCKET, option, &value, sizeof value);
}

/// Whether a wait took about as long as it should: 20 ms or more.
inline const char* took(std::chrono::steady_clock::time_point start,
                        std::chrono::milliseconds at_least) {
  return std::chrono::steady_clock::now() - start >= at_least ? "long" : "short";
}

class FileWith {
 public:
  explicit FileWith(const std::string& content) { std::ofstream{path()} << content; }
  [[nodiscard]] std::string path() const { return directory_ / "file"; }

 private:
  weft_test::TemporaryDirectory directory_;
};

struct Listening {
  OwnDescriptor listener{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_in address{};
  Listening() {
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(listener.get(), raw(), size);
    ::listen(listener.get(), 8);
    ::getsockname(listener.get(), raw(), &size);
  }
  sockaddr* raw() { return reinterpret_cast<sockaddr*>(&address); }
};

/// Runs the case without the bridge, with it, and in a coroutine, and compares.
void expect_the_same(const Case& one);

}  // namespace weft_test
