#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <netinet/in.h>
#include <ostream>
#include <sstream>
#include <string>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/un.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "bridged.hpp"
#include "foreign/calls.hpp"
#include "temporary.hpp"

// Each case is run as it is, and in a coroutine with the bridge: results, errno and what else can
// be seen must be the same. A partner on a thread of its own does what the call waits for.
namespace {

using namespace std::chrono_literals;
using weft_test::blocking;
using weft_test::Bridged;
using weft_test::Ends;
using weft_test::OwnDescriptor;

/// What a case has seen, as a text to compare.
class Seen {
 public:
  /// The result of a call, and errno if it failed.
  template <class T>
  Seen& call(const char* name, T result) {
    const int error = errno;
    text_ << name << "=" << result;
    if (result < 0) text_ << " errno=" << error;
    text_ << "\n";
    return *this;
  }
  template <class T>
  Seen& note(const char* name, const T& value) {
    text_ << name << "=" << value << "\n";
    return *this;
  }
  [[nodiscard]] std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
};

/// Does something a little later, when the call waits.
class Partner {
 public:
  explicit Partner(std::function<void()> act)
      : thread_{[act = std::move(act)] {
          std::this_thread::sleep_for(20ms);
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

std::ostream& operator<<(std::ostream& out, const Case& one) { return out << one.name; }

void send_text(int to, std::string_view text) {
  ::send(to, text.data(), text.size(), MSG_NOSIGNAL);
}

void set_timeout(int fd, int option, long microseconds) {
  const timeval value{microseconds / 1'000'000, microseconds % 1'000'000};
  foreign::setsockopt(fd, SOL_SOCKET, option, &value, sizeof value);
}

/// Whether a wait took about as long as it should: 20 ms or more.
const char* took(std::chrono::steady_clock::time_point start, std::chrono::milliseconds at_least) {
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

const Case cases[] = {
    {"recv_waits",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       const Partner partner{[&] { send_text(ends.there.get(), "hello"); }};
       std::array<char, 16> to{};
       seen.call("recv", foreign::recv(ends.here.get(), to.data(), to.size(), 0));
       seen.note("data", to.data()).note("blocks", weft_test::blocks(ends.here.get()));
     }},
    {"recv_at_the_end",
     [](Seen& seen) {
       Ends ends = blocking(Ends::sockets());
       const Partner partner{[&] { ::shutdown(ends.there.get(), SHUT_WR); }};
       char to = 0;
       seen.call("recv", foreign::recv(ends.here.get(), &to, 1, 0));
       seen.call("again", foreign::recv(ends.here.get(), &to, 1, 0));
     }},
    {"recv_of_a_reset_connection",
     [](Seen& seen) {
       Ends ends = blocking(Ends::tcp());
       const Partner partner{[&] { weft_test::reset(ends.there); }};
       char to = 0;
       seen.call("recv", foreign::recv(ends.here.get(), &to, 1, 0));
       seen.call("again", foreign::recv(ends.here.get(), &to, 1, 0));
     }},
    {"recv_times_out",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       set_timeout(ends.here.get(), SO_RCVTIMEO, 30'000);
       const auto start = std::chrono::steady_clock::now();
       char to = 0;
       seen.call("recv", foreign::recv(ends.here.get(), &to, 1, 0));
       seen.note("took", took(start, 25ms));
     }},
    {"recv_that_must_not_wait",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       char to = 0;
       seen.call("recv", foreign::recv(ends.here.get(), &to, 1, MSG_DONTWAIT));
     }},
    {"recv_of_a_non_blocking_socket",
     [](Seen& seen) {
       const Ends ends = Ends::sockets();
       char to = 0;
       seen.call("recv", foreign::recv(ends.here.get(), &to, 1, 0));
       seen.call("read", foreign::read(ends.here.get(), &to, 1));
       foreign::fcntl(ends.here.get(), F_SETFL, nullptr);
       const Partner partner{[&] { send_text(ends.there.get(), "x"); }};
       seen.call("blocking now", foreign::recv(ends.here.get(), &to, 1, 0));
     }},
    {"recv_wants_all",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       const Partner partner{[&] {
         send_text(ends.there.get(), "abc");
         std::this_thread::sleep_for(10ms);
         send_text(ends.there.get(), "defgh");
       }};
       std::array<char, 8> to{};
       seen.call("recv", foreign::recv(ends.here.get(), to.data(), 8, MSG_WAITALL));
       seen.note("data", std::string(to.data(), 8));
     }},
    {"recv_wants_all_and_the_peer_ends",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       const Partner partner{[&] {
         send_text(ends.there.get(), "abc");
         std::this_thread::sleep_for(10ms);
         ::shutdown(ends.there.get(), SHUT_WR);
       }};
       std::array<char, 8> to{};
       seen.call("recv", foreign::recv(ends.here.get(), to.data(), 8, MSG_WAITALL));
       seen.note("data", std::string(to.data(), 3));
     }},
    {"recv_wants_all_until_its_timeout",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       set_timeout(ends.here.get(), SO_RCVTIMEO, 60'000);
       const Partner partner{[&] { send_text(ends.there.get(), "abc"); }};
       std::array<char, 8> to{};
       seen.call("recv", foreign::recv(ends.here.get(), to.data(), 8, MSG_WAITALL));
     }},
    {"recv_peeks",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       const Partner partner{[&] { send_text(ends.there.get(), "abc"); }};
       std::array<char, 8> to{};
       seen.call("peek", foreign::recv(ends.here.get(), to.data(), 8, MSG_PEEK));
       seen.call("recv", foreign::recv(ends.here.get(), to.data(), 8, 0));
     }},
    {"recv_peeks_for_all",
     [](Seen& seen) {
       for (const bool is_tcp : {false, true}) {
         const Ends ends = blocking(is_tcp ? Ends::tcp() : Ends::sockets());
         const Partner partner{[&] {
           send_text(ends.there.get(), "abc");
           std::this_thread::sleep_for(10ms);
           send_text(ends.there.get(), "de");
         }};
         std::array<char, 8> to{};
         seen.call("peek", foreign::recv(ends.here.get(), to.data(), 5, MSG_PEEK | MSG_WAITALL));
       }
     }},
    {"recv_of_datagrams_does_not_join_them",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets(SOCK_DGRAM));
       const Partner partner{[&] {
         send_text(ends.there.get(), "ab");
         send_text(ends.there.get(), "cd");
       }};
       std::array<char, 8> to{};
       seen.call("recv", foreign::recv(ends.here.get(), to.data(), 8, MSG_WAITALL));
       seen.call("recv", foreign::recv(ends.here.get(), to.data(), 8, 0));
     }},
    {"recv_of_errors_and_urgent_data_never_waits",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::tcp());
       std::array<char, 8> to{};
       seen.call("errors", foreign::recv(ends.here.get(), to.data(), 8, MSG_ERRQUEUE));
       seen.call("urgent", foreign::recv(ends.here.get(), to.data(), 8, MSG_OOB));
     }},
    {"recv_of_what_is_no_socket",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::pipe());
       char to = 0;
       seen.call("recv", foreign::recv(ends.here.get(), &to, 1, 0));
       seen.call("of nothing", foreign::recv(-1, &to, 1, 0));
       seen.call("read", foreign::read(-1, &to, 1));
       seen.call("send", foreign::send(-1, &to, 1, 0));
     }},
    {"recvfrom_tells_the_sender",
     [](Seen& seen) {
       Listening somewhere;  // only its address is used
       const OwnDescriptor here{::socket(AF_INET, SOCK_DGRAM, 0)};
       const OwnDescriptor there{::socket(AF_INET, SOCK_DGRAM, 0)};
       sockaddr_in address{};
       address.sin_family = AF_INET;
       address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
       socklen_t size = sizeof address;
       ::bind(here.get(), reinterpret_cast<sockaddr*>(&address), size);
       ::getsockname(here.get(), reinterpret_cast<sockaddr*>(&address), &size);
       const Partner partner{[&] {
         ::sendto(there.get(), "abc", 3, 0, reinterpret_cast<sockaddr*>(&address), size);
       }};
       std::array<char, 2> to{};
       sockaddr_in from{};
       socklen_t from_size = sizeof from;
       seen.call("recvfrom", foreign::recvfrom(here.get(), to.data(), 2, MSG_TRUNC,
                                               reinterpret_cast<sockaddr*>(&from), &from_size));
       seen.note("family", from.sin_family).note("size", from_size);
       seen.note("address", ::ntohl(from.sin_addr.s_addr));
     }},
    {"recvmsg_gathers",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       const Partner partner{[&] {
         send_text(ends.there.get(), "abc");
         std::this_thread::sleep_for(10ms);
         send_text(ends.there.get(), "defg");
       }};
       std::array<char, 2> one{};
       std::array<char, 5> two{};
       std::array<iovec, 2> parts{iovec{one.data(), 2}, iovec{two.data(), 5}};
       msghdr message{};
       message.msg_iov = parts.data();
       message.msg_iovlen = 2;
       seen.call("recvmsg", foreign::recvmsg(ends.here.get(), &message, MSG_WAITALL));
       seen.note("one", std::string(one.data(), 2)).note("two", std::string(two.data(), 5));
     }},
    {"recvmsg_takes_descriptors",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       const Partner partner{[&] {
         char byte = 'x';
         iovec part{&byte, 1};
         alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
         msghdr message{};
         message.msg_iov = &part;
         message.msg_iovlen = 1;
         message.msg_control = control.data();
         message.msg_controllen = control.size();
         cmsghdr* const header = CMSG_FIRSTHDR(&message);
         header->cmsg_level = SOL_SOCKET;
         header->cmsg_type = SCM_RIGHTS;
         header->cmsg_len = CMSG_LEN(sizeof(int));
         const int passed = 0;
         std::memcpy(CMSG_DATA(header), &passed, sizeof passed);
         ::sendmsg(ends.there.get(), &message, 0);
       }};
       char byte = 0;
       iovec part{&byte, 1};
       alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
       msghdr message{};
       message.msg_iov = &part;
       message.msg_iovlen = 1;
       message.msg_control = control.data();
       message.msg_controllen = control.size();
       seen.call("recvmsg", foreign::recvmsg(ends.here.get(), &message, 0));
       const cmsghdr* const header = CMSG_FIRSTHDR(&message);
       seen.note("rights", header != nullptr && header->cmsg_type == SCM_RIGHTS);
       if (header != nullptr) {
         int got = -1;
         std::memcpy(&got, CMSG_DATA(header), sizeof got);
         seen.note("open", weft_test::is_open(got));
         ::close(got);
       }
     }},
    {"several_messages",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets(SOCK_DGRAM));
       std::array<std::array<char, 8>, 3> memory{};
       std::array<iovec, 3> parts{};
       std::array<mmsghdr, 3> messages{};
       for (std::size_t i = 0; i < 3; ++i) {
         parts[i] = {memory[i].data(), memory[i].size()};
         messages[i].msg_hdr.msg_iov = &parts[i];
         messages[i].msg_hdr.msg_iovlen = 1;
       }
       const auto receive = [&](const char* name, int flags, timespec* timeout) {
         seen.call(name, foreign::recvmmsg(ends.here.get(), messages.data(), 3, flags, timeout));
         for (std::size_t i = 0; i < 3; ++i) {
           seen.note("size", messages[i].msg_len).note("data", memory[i].data());
         }
       };
       {
         const Partner partner{[&] {
           send_text(ends.there.get(), "a");
           std::this_thread::sleep_for(10ms);
           send_text(ends.there.get(), "bc");
           send_text(ends.there.get(), "def");
         }};
         receive("all", 0, nullptr);
       }
       {
         const Partner partner{[&] { send_text(ends.there.get(), "one"); }};
         receive("one is enough", MSG_WAITFORONE, nullptr);
       }
       {
         const Partner partner{[&] { send_text(ends.there.get(), "late"); }};
         timespec soon{0, 5'000'000};
         receive("after its time", 0, &soon);
         seen.note("left", soon.tv_sec + soon.tv_nsec);
       }
       receive("none", MSG_DONTWAIT, nullptr);
       set_timeout(ends.here.get(), SO_RCVTIMEO, 20'000);
       receive("times out", 0, nullptr);
       for (iovec& part : parts) part.iov_len = 2;
       seen.call("sendmmsg", foreign::sendmmsg(ends.here.get(), messages.data(), 3, 0));
       seen.note("sent", messages[2].msg_len).note("got", weft_test::take(ends.there.get(), 8));
       seen.call("bad", foreign::sendmmsg(-1, messages.data(), 3, 0));
     }},
    {"send_sends_all",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       const std::string much(1'000'000, 'm');
       std::string got(much.size(), '\0');
       ssize_t received = 0;
       {
         const Partner partner{
             [&] { received = ::recv(ends.there.get(), got.data(), got.size(), MSG_WAITALL); }};
         seen.call("send", foreign::send(ends.here.get(), much.data(), much.size(), 0));
       }
       seen.note("received", received).note("same", got == much);
       seen.note("blocks", weft_test::blocks(ends.here.get()));
     }},
    {"send_times_out_with_a_part",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       set_timeout(ends.here.get(), SO_SNDTIMEO, 30'000);
       const std::string much(5'000'000, 'm');
       const ssize_t sent = foreign::send(ends.here.get(), much.data(), much.size(), 0);
       seen.note("a part", sent > 0 && sent < 5'000'000);
       seen.call("none", foreign::send(ends.here.get(), much.data(), much.size(), 0));
     }},
    {"send_without_reader",
     [](Seen& seen) {
       Ends ends = blocking(Ends::sockets());
       ends.there.reset();
       seen.call("send", foreign::send(ends.here.get(), "x", 1, MSG_NOSIGNAL));
     }},
    {"send_to_one_who_leaves",
     [](Seen& seen) {
       Ends ends = blocking(Ends::sockets());
       const std::string much(5'000'000, 'm');
       const Partner partner{[&] { ends.there.reset(); }};
       const ssize_t sent = foreign::send(ends.here.get(), much.data(), much.size(), MSG_NOSIGNAL);
       seen.note("a part", sent > 0 && sent < 5'000'000);
       seen.call("then", foreign::send(ends.here.get(), "x", 1, MSG_NOSIGNAL));
     }},
    {"send_of_datagrams_waits_for_room",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets(SOCK_DGRAM));
       ::fcntl(ends.here.get(), F_SETFL, O_NONBLOCK);
       while (::send(ends.here.get(), "x", 1, 0) == 1) {
       }
       foreign::fcntl(ends.here.get(), F_SETFL, nullptr);
       const Partner partner{[&] {
         char byte = 0;
         while (::recv(ends.there.get(), &byte, 1, MSG_DONTWAIT) == 1) {
         }
       }};
       seen.call("send", foreign::send(ends.here.get(), "y", 1, 0));
     }},
    {"sendmsg_sends_all_parts",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       std::string one(300'000, 'a');
       std::string two(700'000, 'b');
       std::array<iovec, 2> parts{iovec{one.data(), one.size()}, iovec{two.data(), two.size()}};
       msghdr message{};
       message.msg_iov = parts.data();
       message.msg_iovlen = 2;
       std::string got(1'000'000, '\0');
       {
         const Partner partner{
             [&] { ::recv(ends.there.get(), got.data(), got.size(), MSG_WAITALL); }};
         seen.call("sendmsg", foreign::sendmsg(ends.here.get(), &message, 0));
       }
       seen.note("same", got == one + two);
     }},
    {"read_and_write_of_sockets",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       const Partner partner{[&] { send_text(ends.there.get(), "abc"); }};
       std::array<char, 8> to{};
       seen.call("nothing", foreign::read(ends.here.get(), to.data(), 0));
       seen.call("read", foreign::read(ends.here.get(), to.data(), to.size()));
       seen.call("write", foreign::write(ends.here.get(), "xyz", 3));
       seen.note("got", weft_test::take(ends.there.get(), 8));
     }},
    {"read_of_a_pipe",
     [](Seen& seen) {
       Ends ends = blocking(Ends::pipe());
       std::array<char, 8> to{};
       {
         const Partner partner{[&] { weft_test::put(ends.there.get(), "abc"); }};
         seen.call("read", foreign::read(ends.here.get(), to.data(), to.size()));
       }
       const Partner partner{[&] { ends.there.reset(); }};
       seen.call("end", foreign::read(ends.here.get(), to.data(), to.size()));
       seen.note("blocks", weft_test::blocks(ends.here.get()));
     }},
    {"write_of_a_pipe_writes_all",
     [](Seen& seen) {
       Ends ends = blocking(Ends::pipe());
       const std::string much(300'000, 'p');
       std::string got;
       {
         const Partner partner{[&] {
           while (got.size() < much.size()) got += weft_test::take(ends.here.get());
         }};
         seen.call("write", foreign::write(ends.there.get(), much.data(), much.size()));
       }
       seen.note("same", got == much);
     }},
    {"readv_and_writev",
     [](Seen& seen) {
       for (const bool is_pipe : {false, true}) {
         Ends ends = blocking(is_pipe ? Ends::pipe() : Ends::sockets());
         std::string one(60'000, 'a');
         std::string two(90'000, 'b');
         const std::array<iovec, 2> parts{iovec{one.data(), one.size()},
                                          iovec{two.data(), two.size()}};
         std::string got;
         {
           const Partner partner{[&] {
             while (got.size() < 150'000) got += weft_test::take(ends.here.get());
           }};
           seen.call("writev", foreign::writev(ends.there.get(), parts.data(), 2));
         }
         seen.note("same", got == one + two);
         const Partner partner{[&] { weft_test::put(ends.there.get(), "abcdef"); }};
         std::array<char, 2> first{};
         std::array<char, 8> second{};
         const std::array<iovec, 2> room{iovec{first.data(), 2}, iovec{second.data(), 8}};
         seen.call("readv", foreign::readv(ends.here.get(), room.data(), 2));
         seen.note("second", second.data());
       }
     }},
    {"files_go_through",
     [](Seen& seen) {
       const FileWith file{"content"};
       const OwnDescriptor opened{::open(file.path().c_str(), O_RDWR | O_CLOEXEC)};
       std::array<char, 16> to{};
       seen.call("read", foreign::read(opened.get(), to.data(), to.size()));
       seen.note("data", to.data());
       seen.call("end", foreign::read(opened.get(), to.data(), to.size()));
       seen.call("write", foreign::write(opened.get(), "more", 4));
       pollfd look{opened.get(), POLLIN | POLLOUT, 0};
       seen.call("poll", foreign::poll(&look, 1, -1)).note("revents", look.revents);
     }},
    {"eventfd",
     [](Seen& seen) {
       const OwnDescriptor event{::eventfd(0, EFD_CLOEXEC)};
       const Partner partner{[&] { ::eventfd_write(event.get(), 7); }};
       std::uint64_t value = 0;
       seen.call("read", foreign::read(event.get(), &value, sizeof value)).note("value", value);
     }},
    {"sendfile_sends_all",
     [](Seen& seen) {
       const FileWith file{std::string(400'000, 'f')};
       const OwnDescriptor opened{::open(file.path().c_str(), O_RDONLY | O_CLOEXEC)};
       const Ends ends = blocking(Ends::sockets());
       std::string got(399'000, '\0');
       off_t offset = 1'000;
       {
         const Partner partner{
             [&] { ::recv(ends.there.get(), got.data(), got.size(), MSG_WAITALL); }};
         seen.call("sendfile", foreign::sendfile(ends.here.get(), opened.get(), &offset, 399'000));
       }
       seen.note("offset", offset).note("same", got == std::string(399'000, 'f'));
       seen.note("blocks", weft_test::blocks(ends.here.get()));
     }},
    {"checked_aliases",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       std::array<char, 8> to{};
       {
         const Partner partner{[&] { send_text(ends.there.get(), "abc"); }};
         seen.call("recv_chk", foreign::recv_chk(ends.here.get(), to.data(), 8, 8, 0));
       }
       {
         const Partner partner{[&] { send_text(ends.there.get(), "de"); }};
         seen.call("read_chk", foreign::read_chk(ends.here.get(), to.data(), 8, 8));
       }
       pollfd look{ends.here.get(), POLLIN, 0};
       const Partner partner{[&] { send_text(ends.there.get(), "f"); }};
       seen.call("poll_chk", foreign::poll_chk(&look, 1, -1, sizeof look));
     }},
    {"poll_waits",
     [](Seen& seen) {
       const Ends one = blocking(Ends::sockets());
       const Ends two = blocking(Ends::pipe());
       std::array<pollfd, 4> look{pollfd{one.here.get(), POLLIN, 0}, pollfd{-1, POLLIN, 99},
                                  pollfd{two.here.get(), POLLIN | POLLPRI, 0},
                                  pollfd{one.here.get(), POLLIN, 0}};
       const Partner partner{[&] { send_text(one.there.get(), "x"); }};
       seen.call("poll", foreign::poll(look.data(), look.size(), 5'000));
       for (const pollfd& entry : look) seen.note("revents", entry.revents);
     }},
    {"poll_times_out",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       pollfd look{ends.here.get(), POLLIN, 0x7f};
       const auto start = std::chrono::steady_clock::now();
       seen.call("poll", foreign::poll(&look, 1, 30)).note("revents", look.revents);
       seen.note("took", took(start, 30ms));
       seen.call("nothing", foreign::poll(nullptr, 0, 10));
     }},
    {"poll_of_bad_descriptors_and_hang_ups",
     [](Seen& seen) {
       Ends ends = blocking(Ends::sockets());
       pollfd bad{999, POLLIN, 0};
       seen.call("bad", foreign::poll(&bad, 1, -1)).note("revents", bad.revents);
       const Partner partner{[&] { ends.there.reset(); }};
       pollfd silent{ends.here.get(), 0, 0};
       seen.call("silent", foreign::poll(&silent, 1, 5'000)).note("revents", silent.revents);
     }},
    {"poll_for_the_end_of_the_peer",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::tcp());
       const Partner partner{[&] { ::shutdown(ends.there.get(), SHUT_WR); }};
       pollfd look{ends.here.get(), POLLRDHUP, 0};
       seen.call("poll", foreign::poll(&look, 1, 5'000)).note("revents", look.revents);
     }},
    {"poll_for_urgent_data",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::tcp());
       const Partner partner{[&] { ::send(ends.there.get(), "!", 1, MSG_OOB); }};
       pollfd look{ends.here.get(), POLLIN | POLLPRI, 0};
       const int found = foreign::poll(&look, 1, 5'000);
       seen.call("poll", found).note("urgent", (look.revents & POLLPRI) != 0);
     }},
    {"poll_for_room",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       ::fcntl(ends.here.get(), F_SETFL, O_NONBLOCK);
       weft_test::fill(ends.here.get());
       ::fcntl(ends.here.get(), F_SETFL, 0);
       const Partner partner{[&] { weft_test::take(ends.there.get()); }};
       pollfd look{ends.here.get(), POLLOUT, 0};
       seen.call("poll", foreign::poll(&look, 1, 5'000)).note("revents", look.revents);
     }},
    {"ppoll_waits",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       sigset_t none;
       ::sigemptyset(&none);
       pollfd look{ends.here.get(), POLLIN, 0};
       {
         const timespec soon{0, 30'000'000};
         seen.call("times out", foreign::ppoll(&look, 1, &soon, &none));
       }
       const Partner partner{[&] { send_text(ends.there.get(), "x"); }};
       seen.call("ppoll", foreign::ppoll(&look, 1, nullptr, &none)).note("revents", look.revents);
     }},
    {"select_waits",
     [](Seen& seen) {
       const Ends one = blocking(Ends::sockets());
       const Ends two = blocking(Ends::sockets());
       fd_set readable;
       fd_set writable;
       FD_ZERO(&readable);
       FD_ZERO(&writable);
       FD_SET(one.here.get(), &readable);
       FD_SET(two.here.get(), &readable);
       const int most = std::max(one.here.get(), two.here.get()) + 1;
       timeval limit{5, 0};
       {
         const Partner partner{[&] { send_text(two.there.get(), "x"); }};
         seen.call("select", foreign::select(most, &readable, nullptr, nullptr, &limit));
       }
       seen.note("one", FD_ISSET(one.here.get(), &readable) != 0);
       seen.note("two", FD_ISSET(two.here.get(), &readable) != 0);
       seen.note("left", limit.tv_sec == 4 && limit.tv_usec > 0);
       FD_ZERO(&readable);
       FD_SET(one.here.get(), &readable);
       FD_SET(one.here.get(), &writable);
       seen.call("write", foreign::select(most, &readable, &writable, nullptr, nullptr));
       seen.note("readable", FD_ISSET(one.here.get(), &readable) != 0);
     }},
    {"select_times_out_and_sleeps",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       fd_set readable;
       FD_ZERO(&readable);
       FD_SET(ends.here.get(), &readable);
       timeval limit{0, 30'000};
       auto start = std::chrono::steady_clock::now();
       seen.call("select",
                 foreign::select(ends.here.get() + 1, &readable, nullptr, nullptr, &limit));
       seen.note("took", took(start, 30ms)).note("set", FD_ISSET(ends.here.get(), &readable) != 0);
       seen.note("left", limit.tv_sec + limit.tv_usec);
       timeval nap{0, 20'000};
       start = std::chrono::steady_clock::now();
       seen.call("nap", foreign::select(0, nullptr, nullptr, nullptr, &nap));
       seen.note("took", took(start, 20ms));
     }},
    {"select_of_a_bad_descriptor",
     [](Seen& seen) {
       fd_set readable;
       FD_ZERO(&readable);
       OwnDescriptor closed{::dup(0)};
       const int number = closed.get();
       closed.reset();
       FD_SET(number, &readable);
       seen.call("select", foreign::select(number + 1, &readable, nullptr, nullptr, nullptr));
       seen.call("pselect", foreign::pselect(-1, nullptr, nullptr, nullptr, nullptr, nullptr));
     }},
    {"pselect_waits",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       fd_set readable;
       FD_ZERO(&readable);
       FD_SET(ends.here.get(), &readable);
       const timespec limit{5, 0};
       const Partner partner{[&] { send_text(ends.there.get(), "x"); }};
       seen.call("pselect", foreign::pselect(ends.here.get() + 1, &readable, nullptr, nullptr,
                                             &limit, nullptr));
       seen.note("left alone", limit.tv_sec);
     }},
    {"epoll_waits",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       const OwnDescriptor epoll{::epoll_create1(EPOLL_CLOEXEC)};
       epoll_event wanted{};
       wanted.events = EPOLLIN;
       wanted.data.u32 = 42;
       ::epoll_ctl(epoll.get(), EPOLL_CTL_ADD, ends.here.get(), &wanted);
       std::array<epoll_event, 4> events{};
       seen.call("times out", foreign::epoll_wait(epoll.get(), events.data(), 4, 20));
       for (int i = 0; i < 2; ++i) {
         const Partner partner{[&] { send_text(ends.there.get(), "x"); }};
         seen.call("epoll_wait", foreign::epoll_wait(epoll.get(), events.data(), 4, -1));
         seen.note("data", events[0].data.u32);
         weft_test::take(ends.here.get(), 8);
       }
       seen.call("of none", foreign::epoll_wait(epoll.get(), events.data(), 0, -1));
       seen.call("of no epoll", foreign::epoll_wait(ends.here.get(), events.data(), 4, -1));
     }},
    {"epoll_pwait2_waits",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       const OwnDescriptor epoll{::epoll_create1(EPOLL_CLOEXEC)};
       epoll_event wanted{};
       wanted.events = EPOLLIN;
       wanted.data.u32 = 42;
       ::epoll_ctl(epoll.get(), EPOLL_CTL_ADD, ends.here.get(), &wanted);
       epoll_event found{};
       const timespec soon{0, 20'000'000};
       const auto start = std::chrono::steady_clock::now();
       seen.call("times out", foreign::epoll_pwait2(epoll.get(), &found, 1, &soon, nullptr));
       seen.note("took", took(start, 20ms));
       const Partner partner{[&] { send_text(ends.there.get(), "x"); }};
       seen.call("waits", foreign::epoll_pwait2(epoll.get(), &found, 1, nullptr, nullptr));
       seen.note("data", found.data.u32);
     }},
    {"connect_and_accept",
     [](Seen& seen) {
       Listening server;
       const OwnDescriptor client{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
       seen.call("connect", foreign::connect(client.get(), server.raw(), sizeof server.address));
       seen.note("blocks", weft_test::blocks(client.get()));
       sockaddr_in peer{};
       socklen_t size = sizeof peer;
       const OwnDescriptor accepted{
           foreign::accept(server.listener.get(), reinterpret_cast<sockaddr*>(&peer), &size)};
       seen.note("accepted", accepted.get() >= 0).note("family", peer.sin_family);
       seen.call("again", foreign::connect(client.get(), server.raw(), sizeof server.address));
     }},
    {"accept_waits",
     [](Seen& seen) {
       Listening server;
       OwnDescriptor client{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
       const Partner partner{[&] { ::connect(client.get(), server.raw(), sizeof server.address); }};
       const OwnDescriptor accepted{
           foreign::accept4(server.listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)};
       seen.note("accepted", accepted.get() >= 0);
       seen.note("blocks", weft_test::blocks(accepted.get()));
       seen.note("listener blocks", weft_test::blocks(server.listener.get()));
     }},
    {"accept_times_out",
     [](Seen& seen) {
       Listening server;
       set_timeout(server.listener.get(), SO_RCVTIMEO, 20'000);
       seen.call("accept", foreign::accept(server.listener.get(), nullptr, nullptr));
       const OwnDescriptor other{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
       seen.call("not listening", foreign::accept(other.get(), nullptr, nullptr));
       const Ends pipe = blocking(Ends::pipe());
       seen.call("no socket", foreign::accept(pipe.here.get(), nullptr, nullptr));
     }},
    {"connect_is_refused",
     [](Seen& seen) {
       Listening server;
       server.listener.reset();
       const OwnDescriptor client{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
       seen.call("connect", foreign::connect(client.get(), server.raw(), sizeof server.address));
       const Ends pipe = blocking(Ends::pipe());
       seen.call("no socket", foreign::connect(pipe.here.get(), server.raw(), 16));
       sockaddr_un nowhere{};
       nowhere.sun_family = AF_UNIX;
       std::strcpy(nowhere.sun_path, "/nonexistent/socket");
       const OwnDescriptor local{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
       seen.call("unix", foreign::connect(local.get(), reinterpret_cast<sockaddr*>(&nowhere),
                                          sizeof nowhere));
     }},
    {"connect_waits_for_room_at_a_unix_socket",
     [](Seen& seen) {
       const weft_test::TemporaryDirectory directory;
       sockaddr_un address{};
       address.sun_family = AF_UNIX;
       std::strcpy(address.sun_path, (directory / "s").c_str());
       const OwnDescriptor listener{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
       auto* const raw = reinterpret_cast<sockaddr*>(&address);
       ::bind(listener.get(), raw, sizeof address);
       ::listen(listener.get(), 0);
       std::vector<OwnDescriptor> waiting;
       while (true) {  // fills the backlog
         OwnDescriptor one{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
         if (::connect(one.get(), raw, sizeof address) != 0) break;
         waiting.push_back(std::move(one));
       }
       const OwnDescriptor client{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
       const Partner partner{[&] { OwnDescriptor{::accept(listener.get(), nullptr, nullptr)}; }};
       seen.call("connect", foreign::connect(client.get(), raw, sizeof address));
       seen.note("blocks", weft_test::blocks(client.get()));
     }},
    {"sleeps",
     [](Seen& seen) {
       auto start = std::chrono::steady_clock::now();
       seen.call("usleep", foreign::usleep(20'000)).note("took", took(start, 20ms));
       start = std::chrono::steady_clock::now();
       const timespec some{0, 20'000'000};
       timespec left{7, 7};
       seen.call("nanosleep", foreign::nanosleep(&some, &left)).note("took", took(start, 20ms));
       seen.note("left", left.tv_sec);
       start = std::chrono::steady_clock::now();
       timespec until{};
       ::clock_gettime(CLOCK_REALTIME, &until);
       until.tv_nsec += 20'000'000;
       if (until.tv_nsec >= 1'000'000'000) {
         ++until.tv_sec;
         until.tv_nsec -= 1'000'000'000;
       }
       seen.call("clock_nanosleep",
                 foreign::clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, nullptr));
       seen.note("took", took(start, 19ms));
       const timespec bad{0, -1};
       seen.call("bad", foreign::nanosleep(&bad, nullptr));
       seen.note("bad clock", foreign::clock_nanosleep(77, 0, &some, nullptr));
       seen.note("sleep", foreign::sleep(0));
     }},
    {"children",
     [](Seen& seen) {
       const auto child = [](int code, unsigned long after) {
         const pid_t made = ::fork();
         if (made == 0) {
           ::usleep(static_cast<useconds_t>(after));
           ::_exit(code);
         }
         return made;
       };
       int status = 0;
       while (::waitpid(-1, &status, WNOHANG) > 0) {  // children of other tests
       }
       pid_t one = child(7, 20'000);
       seen.note("waitpid", foreign::waitpid(one, &status, 0) == one).note("status", status);
       one = child(8, 20'000);
       seen.note("none yet", foreign::waitpid(one, &status, WNOHANG));
       seen.note("wait", foreign::wait(&status) == one).note("status", status);
       one = child(9, 20'000);
       siginfo_t info{};
       seen.call("waitid", foreign::waitid(P_PID, static_cast<id_t>(one), &info, WEXITED));
       seen.note("child", info.si_pid == one).note("status", info.si_status);
       one = child(3, 20'000);
       rusage usage{};
       seen.note("wait4", foreign::wait4(one, &status, 0, &usage) == one).note("status", status);
       one = child(0, 5'000'000);
       const Partner partner{[one] { ::kill(one, SIGKILL); }};
       seen.note("killed", foreign::waitpid(one, &status, 0) == one);
       seen.note("signal", WTERMSIG(status));
       seen.call("no child", foreign::waitpid(one, &status, 0));
       seen.call("none", foreign::wait(&status));
     }},
    {"commands",
     [](Seen& seen) {
       FILE* const out = foreign::popen("sleep 0.02; echo hello; exit 5", "r");
       std::array<char, 16> line{};
       seen.note("line", std::fgets(line.data(), line.size(), out));
       seen.note("status", foreign::pclose(out));
       FILE* const in = foreign::popen("cat >/dev/null; exit 6", "w");
       std::fputs("text\n", in);
       seen.note("status", foreign::pclose(in));
       seen.note("bad mode", foreign::popen("true", "x") == nullptr).note("errno", errno);
     }},
    {"names",
     [](Seen& seen) {
       addrinfo hints{};
       hints.ai_family = AF_INET;
       hints.ai_socktype = SOCK_STREAM;
       addrinfo* found = nullptr;
       seen.note("getaddrinfo", foreign::getaddrinfo("localhost", "80", &hints, &found));
       if (found != nullptr) {
         const auto* const address = reinterpret_cast<sockaddr_in*>(found->ai_addr);
         seen.note("address", ::inet_ntoa(address->sin_addr));
         std::array<char, 64> host{};
         std::array<char, 64> service{};
         seen.note("getnameinfo",
                   foreign::getnameinfo(found->ai_addr, found->ai_addrlen, host.data(), host.size(),
                                        service.data(), service.size(), NI_NUMERICSERV));
         seen.note("host", host.data()).note("service", service.data());
         ::freeaddrinfo(found);
       }
       seen.note("bad family", [] {
         addrinfo bad{};
         bad.ai_family = 250;
         addrinfo* none = nullptr;
         return foreign::getaddrinfo("localhost", nullptr, &bad, &none);
       }());
       const hostent* const host = foreign::gethostbyname("localhost");
       seen.note("gethostbyname", host != nullptr);
       if (host != nullptr) {
         in_addr address{};
         std::memcpy(&address, host->h_addr_list[0], sizeof address);
         seen.note("name", host->h_name).note("address", ::inet_ntoa(address));
       }
       hostent mine{};
       hostent* result = nullptr;
       int error = 0;
       std::array<char, 1024> memory{};
       seen.note("gethostbyname_r", foreign::gethostbyname_r("localhost", &mine, memory.data(),
                                                             memory.size(), &result, &error));
       seen.note("in my memory", result == &mine && mine.h_name >= memory.data() &&
                                     mine.h_name < memory.data() + memory.size());
       seen.note("too small",
                 foreign::gethostbyname_r("localhost", &mine, memory.data(), 8, &result, &error));
       seen.note("result", result == nullptr).note("error", error);
       const in_addr loopback{htonl(INADDR_LOOPBACK)};
       const hostent* const back = foreign::gethostbyaddr(&loopback, sizeof loopback, AF_INET);
       seen.note("gethostbyaddr", back != nullptr ? back->h_name : "none");
     }},
    {"locks",
     [](Seen& seen) {
       const FileWith file{"x"};
       const OwnDescriptor one{::open(file.path().c_str(), O_RDWR | O_CLOEXEC)};
       const OwnDescriptor two{::open(file.path().c_str(), O_RDWR | O_CLOEXEC)};
       ::flock(one.get(), LOCK_EX);
       seen.call("busy", foreign::flock(two.get(), LOCK_EX | LOCK_NB));
       {
         const Partner partner{[&] { ::flock(one.get(), LOCK_UN); }};
         seen.call("flock", foreign::flock(two.get(), LOCK_EX));
       }
       seen.call("unlock", foreign::flock(two.get(), LOCK_UN));
       seen.call("bad", foreign::flock(-1, LOCK_EX));
       struct flock lock {};
       lock.l_type = F_WRLCK;
       lock.l_whence = SEEK_SET;
       ::fcntl(one.get(), F_OFD_SETLK, &lock);
       {
         const Partner partner{[&] {
           struct flock unlock {};
           unlock.l_type = F_UNLCK;
           unlock.l_whence = SEEK_SET;
           ::fcntl(one.get(), F_OFD_SETLK, &unlock);
         }};
         seen.call("fcntl", foreign::fcntl(two.get(), F_OFD_SETLKW, &lock));
       }
       lock.l_type = F_UNLCK;
       seen.call("unlocks", foreign::fcntl(two.get(), F_OFD_SETLK, &lock));
       seen.call("lockf", foreign::lockf(two.get(), F_LOCK, 0));
     }},
};

class BridgeConformanceTest : public ::testing::TestWithParam<Case> {};

TEST_P(BridgeConformanceTest, SeesTheSameWithAndWithoutTheBridge) {
  Seen plain;
  GetParam().run(plain);
  const Bridged bridged;
  Seen outside;
  GetParam().run(outside);
  EXPECT_EQ(outside.text(), plain.text()) << "outside a coroutine";
  Seen inside;
  weft::run([&] {
    // Another coroutine that runs all the time: what the call waits for, it waits for without it.
    bool over = false;
    auto other = weft::spawn([&] {
      while (!over) weft::delay(1ms);
    });
    weft::await(weft::spawn([&] { GetParam().run(inside); }));
    over = true;
    weft::await(other);
  });
  EXPECT_EQ(inside.text(), plain.text()) << "in a coroutine";
}

INSTANTIATE_TEST_SUITE_P(RealTime, BridgeConformanceTest, ::testing::ValuesIn(cases),
                         [](const auto& one) { return std::string{one.param.name}; });

}  // namespace
