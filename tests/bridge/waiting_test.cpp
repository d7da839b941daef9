#include <algorithm>
#include <array>
#include <chrono>
#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "conformance.hpp"

// poll, select, epoll_wait and their relatives.
namespace {

using namespace std::chrono_literals;
using weft_test::blocking;
using weft_test::Case;
using weft_test::Ends;
using weft_test::OwnDescriptor;
using weft_test::Partner;
using weft_test::Seen;
using weft_test::send_text;
using weft_test::took;

const Case waiting_cases[] = {
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
};

class BridgeWaitingTest : public ::testing::TestWithParam<Case> {};

TEST_P(BridgeWaitingTest, SeesTheSameWithAndWithoutTheBridge) {
  weft_test::expect_the_same(GetParam());
}

INSTANTIATE_TEST_SUITE_P(RealTime, BridgeWaitingTest, ::testing::ValuesIn(waiting_cases),
                         [](const auto& one) { return std::string{one.param.name}; });

}  // namespace
