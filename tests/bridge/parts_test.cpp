#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <netinet/in.h>
#include <string>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "conformance.hpp"

// Transfers that end with a part: what comes after it belongs to the next call.
namespace {

using namespace std::chrono_literals;
using weft_test::blocking;
using weft_test::Case;
using weft_test::Ends;
using weft_test::FileWith;
using weft_test::Listening;
using weft_test::OwnDescriptor;
using weft_test::Partner;
using weft_test::Seen;
using weft_test::send_text;
using weft_test::set_timeout;

constexpr std::size_t a_lot = 5'000'000;

/// Counts SIGPIPE instead of ending the program.
class PipeSignals {
 public:
  PipeSignals() {
    count_ = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { count_ = count_ + 1; };
    ::sigaction(SIGPIPE, &action, &before_);
  }
  ~PipeSignals() { ::sigaction(SIGPIPE, &before_, nullptr); }
  PipeSignals(const PipeSignals&) = delete;
  PipeSignals& operator=(const PipeSignals&) = delete;
  [[nodiscard]] int count() const { return count_; }

 private:
  static inline volatile std::sig_atomic_t count_ = 0;
  struct sigaction before_ {};
};

bool is_part(ssize_t sent) { return sent > 0 && sent < static_cast<ssize_t>(a_lot); }

/// Sends with `send(descriptor, data)`, to a reader that leaves meanwhile.
template <class Send>
void send_to_one_who_leaves(Seen& seen, Ends ends, Send send) {
  const PipeSignals signals;
  const std::string data(a_lot, 'm');
  {
    const Partner partner{[&] { weft_test::reset(ends.there); }};
    seen.note("a part", is_part(send(ends.here.get(), data)));
  }
  seen.note("signals", signals.count());
  seen.call("then", foreign::send(ends.here.get(), "x", 1, 0)).note("signals", signals.count());
  seen.call("at last", foreign::send(ends.here.get(), "x", 1, 0)).note("signals", signals.count());
}

ssize_t send_message(int descriptor, const std::string& data) {
  std::array<iovec, 2> parts{
      iovec{const_cast<char*>(data.data()), 10},  // NOLINT(cppcoreguidelines-pro-type-const-cast)
      iovec{const_cast<char*>(data.data()) +      // NOLINT(cppcoreguidelines-pro-type-const-cast)
                10,
            data.size() - 10}};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  return foreign::sendmsg(descriptor, &message, 0);
}

/// Receives with `receive(descriptor)`, from a sender that resets the connection after a part.
template <class Receive>
void receive_until_a_reset(Seen& seen, Receive receive) {
  Ends ends = blocking(Ends::tcp());
  const Partner partner{[&] {
    send_text(ends.there.get(), "abc");
    std::this_thread::sleep_for(20ms);
    weft_test::reset(ends.there);
  }};
  seen.call("the part", receive(ends.here.get()));
  seen.call("then", receive(ends.here.get()));
  seen.call("at last", receive(ends.here.get()));
}

const Case part_cases[] = {
    {"send_raises_no_signal_after_a_part",
     [](Seen& seen) {
       send_to_one_who_leaves(seen, blocking(Ends::sockets()),
                              [](int descriptor, const std::string& data) {
                                return foreign::send(descriptor, data.data(), data.size(), 0);
                              });
     }},
    {"send_leaves_the_reset_after_a_part",
     [](Seen& seen) {
       send_to_one_who_leaves(seen, blocking(Ends::tcp()),
                              [](int descriptor, const std::string& data) {
                                return foreign::send(descriptor, data.data(), data.size(), 0);
                              });
     }},
    {"sendmsg_raises_no_signal_after_a_part",
     [](Seen& seen) { send_to_one_who_leaves(seen, blocking(Ends::sockets()), &send_message); }},
    {"sendmsg_leaves_the_reset_after_a_part",
     [](Seen& seen) { send_to_one_who_leaves(seen, blocking(Ends::tcp()), &send_message); }},
    {"write_raises_no_signal_after_a_part",
     [](Seen& seen) {
       send_to_one_who_leaves(seen, blocking(Ends::sockets()),
                              [](int descriptor, const std::string& data) {
                                return foreign::write(descriptor, data.data(), data.size());
                              });
     }},
    {"sendfile_takes_the_reset_after_a_part",
     [](Seen& seen) {
       const FileWith file{std::string(a_lot, 'f')};
       const OwnDescriptor opened{::open(file.path().c_str(), O_RDONLY | O_CLOEXEC)};
       send_to_one_who_leaves(
           seen, blocking(Ends::tcp()), [&](int descriptor, const std::string& data) {
             return foreign::sendfile(descriptor, opened.get(), nullptr, data.size());
           });
     }},
    {"recv_leaves_the_reset_after_a_part",
     [](Seen& seen) {
       receive_until_a_reset(seen, [](int descriptor) {
         std::array<char, 8> to{};
         return foreign::recv(descriptor, to.data(), to.size(), MSG_WAITALL);
       });
     }},
    {"recvmsg_leaves_the_reset_after_a_part",
     [](Seen& seen) {
       receive_until_a_reset(seen, [](int descriptor) {
         std::array<char, 8> to{};
         iovec part{to.data(), to.size()};
         msghdr message{};
         message.msg_iov = &part;
         message.msg_iovlen = 1;
         return foreign::recvmsg(descriptor, &message, MSG_WAITALL);
       });
     }},
    {"recvmmsg_leaves_the_error_after_a_part",
     [](Seen& seen) {
       const auto bound = [](sockaddr_in& address) {
         OwnDescriptor made{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
         address.sin_family = AF_INET;
         address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
         socklen_t size = sizeof address;
         ::bind(made.get(), reinterpret_cast<sockaddr*>(&address), size);
         ::getsockname(made.get(), reinterpret_cast<sockaddr*>(&address), &size);
         return made;
       };
       sockaddr_in here_address{};
       sockaddr_in there_address{};
       const OwnDescriptor here = bound(here_address);
       OwnDescriptor there = bound(there_address);
       ::connect(here.get(), reinterpret_cast<sockaddr*>(&there_address), sizeof there_address);
       std::array<std::array<char, 8>, 3> memory{};
       std::array<iovec, 3> parts{};
       std::array<mmsghdr, 3> messages{};
       for (std::size_t i = 0; i < 3; ++i) {
         parts[i] = {memory[i].data(), memory[i].size()};
         messages[i].msg_hdr.msg_iov = &parts[i];
         messages[i].msg_hdr.msg_iovlen = 1;
       }
       const Partner partner{[&] {
         ::sendto(there.get(), "abc", 3, 0, reinterpret_cast<sockaddr*>(&here_address),
                  sizeof here_address);
         std::this_thread::sleep_for(20ms);
         there.reset();
         send_text(here.get(), "to a closed port");
       }};
       seen.call("the part", foreign::recvmmsg(here.get(), messages.data(), 3, 0, nullptr));
       char byte = 0;
       seen.call("then", foreign::recv(here.get(), &byte, 1, 0));
     }},
    {"sendmmsg_stops_after_a_part_of_a_message",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       set_timeout(ends.here.get(), SO_SNDTIMEO, 30'000);
       std::string data(a_lot, 'm');
       char last = 'z';
       std::array<iovec, 2> parts{iovec{data.data(), data.size()}, iovec{&last, 1}};
       std::array<mmsghdr, 2> messages{};
       for (std::size_t i = 0; i < 2; ++i) {
         messages[i].msg_hdr.msg_iov = &parts[i];
         messages[i].msg_hdr.msg_iovlen = 1;
       }
       const Partner partner{[] {}};
       seen.call("sendmmsg", foreign::sendmmsg(ends.here.get(), messages.data(), 2, 0));
       seen.note("a part", is_part(static_cast<ssize_t>(messages[0].msg_len)));
       seen.note("the second", messages[1].msg_len);
     }},
    {"the_time_to_send_begins_anew_for_each_piece_of_a_unix_stream",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       set_timeout(ends.here.get(), SO_SNDTIMEO, 400'000);
       const std::string data(2'000'000, 'm');
       std::size_t got = 0;
       {
         const Partner partner{[&] {
           while (got < data.size()) {
             std::this_thread::sleep_for(60ms);
             got += weft_test::take(ends.there.get(), 150'000).size();
           }
         }};
         const ssize_t sent = foreign::send(ends.here.get(), data.data(), data.size(), 0);
         seen.call("send", sent);
         if (sent < static_cast<ssize_t>(data.size())) {
           ::shutdown(ends.here.get(), SHUT_WR);
           got = data.size();
         }
       }
     }},
    {"sendto_connects_first_if_that_is_asked_for",
     [](Seen& seen) {
       for (const bool is_message : {false, true}) {
         Listening server;
         const OwnDescriptor client{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
         if (is_message) {
           char text[] = "abc";
           iovec part{text, 3};
           msghdr message{};
           message.msg_name = server.raw();
           message.msg_namelen = sizeof server.address;
           message.msg_iov = &part;
           message.msg_iovlen = 1;
           seen.call("sendmsg", foreign::sendmsg(client.get(), &message, MSG_FASTOPEN));
         } else {
           seen.call("sendto", foreign::sendto(client.get(), "abc", 3, MSG_FASTOPEN, server.raw(),
                                               sizeof server.address));
         }
         const OwnDescriptor accepted{::accept(server.listener.get(), nullptr, nullptr)};
         std::array<char, 8> to{};
         seen.note("got", ::recv(accepted.get(), to.data(), to.size(), 0)).note("it", to.data());
       }
       Listening gone;
       gone.listener.reset();
       const OwnDescriptor client{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
       seen.call("refused", foreign::sendto(client.get(), "abc", 3, MSG_FASTOPEN, gone.raw(),
                                            sizeof gone.address));
     }},
};

class BridgePartsTest : public ::testing::TestWithParam<Case> {};

// trap 34
TEST_P(BridgePartsTest, SeesTheSameWithAndWithoutTheBridge) {
  weft_test::expect_the_same(GetParam());
}

INSTANTIATE_TEST_SUITE_P(RealTime, BridgePartsTest, ::testing::ValuesIn(part_cases),
                         [](const auto& one) { return std::string{one.param.name}; });

}  // namespace
