#include <array>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "conformance.hpp"

// send, sendmsg, sendfile, and read and write of anything.
namespace {

using weft_test::blocking;
using weft_test::Case;
using weft_test::Ends;
using weft_test::FileWith;
using weft_test::OwnDescriptor;
using weft_test::Partner;
using weft_test::Seen;
using weft_test::send_text;
using weft_test::set_timeout;

const Case sending_cases[] = {
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
       {
         const Partner partner{[&] { send_text(ends.there.get(), "f"); }};
         seen.call("poll_chk", foreign::poll_chk(&look, 1, -1, sizeof look));
       }
       seen.call("recvfrom_chk",
                 foreign::recvfrom_chk(ends.here.get(), to.data(), 8, 8, 0, nullptr, nullptr));
       {
         const Partner partner{[&] { send_text(ends.there.get(), "ghi"); }};
         seen.call("ppoll_chk", foreign::ppoll_chk(&look, 1, nullptr, nullptr, sizeof look));
       }
       foreign::recv(ends.here.get(), to.data(), 8, 0);
       const Partner partner{[&] { send_text(ends.there.get(), "jk"); }};
       seen.call("recvfrom_chk",
                 foreign::recvfrom_chk(ends.here.get(), to.data(), 8, 8, 0, nullptr, nullptr));
     }},
    {"sendfile64",
     [](Seen& seen) {
       const FileWith file{"content"};
       const OwnDescriptor opened{::open(file.path().c_str(), O_RDONLY | O_CLOEXEC)};
       const Ends ends = blocking(Ends::sockets());
       off_t offset = 3;
       seen.call("sendfile64", foreign::sendfile64(ends.here.get(), opened.get(), &offset, 100));
       seen.note("offset", offset).note("got", weft_test::take(ends.there.get(), 8));
     }},
    {"nothing_to_a_full_pipe",
     [](Seen& seen) {
       const Ends ends = Ends::pipe();
       std::array<char, 65'536> data{};
       while (::write(ends.there.get(), data.data(), data.size()) > 0) {
       }
       ::fcntl(ends.there.get(), F_SETFL, 0);
       const iovec nothing{data.data(), 0};
       const auto start = std::chrono::steady_clock::now();
       {
         const Partner partner{[&] {
           std::this_thread::sleep_for(std::chrono::milliseconds{80});
           static_cast<void>(::read(ends.here.get(), data.data(), data.size()));
         }};
         seen.call("write", foreign::write(ends.there.get(), data.data(), 0));
         seen.call("writev", foreign::writev(ends.there.get(), &nothing, 1));
         seen.note("took", weft_test::took(start, std::chrono::milliseconds{80}));
       }
     }},
};

class BridgeSendingTest : public ::testing::TestWithParam<Case> {};

TEST_P(BridgeSendingTest, SeesTheSameWithAndWithoutTheBridge) {
  weft_test::expect_the_same(GetParam());
}

INSTANTIATE_TEST_SUITE_P(RealTime, BridgeSendingTest, ::testing::ValuesIn(sending_cases),
                         [](const auto& one) { return std::string{one.param.name}; });

}  // namespace
