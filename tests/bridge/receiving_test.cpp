#include <array>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <string>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "conformance.hpp"

// recv, recvfrom, recvmsg, recvmmsg, as they are and through the bridge.
namespace {

using namespace std::chrono_literals;
using weft_test::blocking;
using weft_test::Case;
using weft_test::Ends;
using weft_test::Listening;
using weft_test::OwnDescriptor;
using weft_test::Partner;
using weft_test::Seen;
using weft_test::send_text;
using weft_test::set_timeout;
using weft_test::took;

const Case receiving_cases[] = {
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
    {"recvmsg_of_all_with_a_descriptor_in_the_second_part",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       set_timeout(ends.here.get(), SO_RCVTIMEO, 500'000);
       const auto send_part = [&](bool with_descriptor) {
         char data[] = {'a', 'b', 'c', 'd'};
         iovec part{data, sizeof data};
         alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
         msghdr message{};
         message.msg_iov = &part;
         message.msg_iovlen = 1;
         if (with_descriptor) {
           message.msg_control = control.data();
           message.msg_controllen = control.size();
           cmsghdr* const head = CMSG_FIRSTHDR(&message);
           head->cmsg_level = SOL_SOCKET;
           head->cmsg_type = SCM_RIGHTS;
           head->cmsg_len = CMSG_LEN(sizeof(int));
           const int passed = ends.there.get();
           std::memcpy(CMSG_DATA(head), &passed, sizeof passed);
         }
         ::sendmsg(ends.there.get(), &message, 0);
       };
       for (const std::size_t size : {8U, 12U}) {  // a descriptor ends a call that wants more
         for (const bool has_room : {true, false}) {
           const Partner partner{[&] {
             send_part(false);
             std::this_thread::sleep_for(std::chrono::milliseconds{20});
             send_part(true);
           }};
           std::array<char, 12> data{};
           iovec part{data.data(), size};
           alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
           msghdr message{};
           message.msg_iov = &part;
           message.msg_iovlen = 1;
           message.msg_control = control.data();
           message.msg_controllen = has_room ? control.size() : 0;
           seen.call("recvmsg", foreign::recvmsg(ends.here.get(), &message, MSG_WAITALL));
           seen.note("flags", message.msg_flags).note("control", message.msg_controllen);
           const cmsghdr* const head = CMSG_FIRSTHDR(&message);
           if (head == nullptr) continue;
           int passed = -1;
           std::memcpy(&passed, CMSG_DATA(head), sizeof passed);
           const OwnDescriptor owned{passed};
           seen.note("open", weft_test::is_open(passed));
         }
       }
     }},
};

class BridgeReceivingTest : public ::testing::TestWithParam<Case> {};

TEST_P(BridgeReceivingTest, SeesTheSameWithAndWithoutTheBridge) {
  weft_test::expect_the_same(GetParam());
}

INSTANTIATE_TEST_SUITE_P(RealTime, BridgeReceivingTest, ::testing::ValuesIn(receiving_cases),
                         [](const auto& one) { return std::string{one.param.name}; });

}  // namespace
