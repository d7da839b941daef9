#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "conformance.hpp"

// connect and accept.
namespace {

using weft_test::blocking;
using weft_test::Case;
using weft_test::Ends;
using weft_test::Listening;
using weft_test::OwnDescriptor;
using weft_test::Partner;
using weft_test::Seen;
using weft_test::set_timeout;

const Case connecting_cases[] = {
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
       {  // a handler ends a call with a deadline, also one that wants calls to be made again
         struct sigaction action {};
         struct sigaction before {};
         action.sa_handler = [](int) {};
         action.sa_flags = SA_RESTART;
         foreign::sigaction(SIGUSR2, &action, &before);
         set_timeout(client.get(), SO_SNDTIMEO, 2'000'000);
         const Partner signals{[me = ::pthread_self()] { ::pthread_kill(me, SIGUSR2); }};
         seen.call("interrupted", foreign::connect(client.get(), raw, sizeof address));
         set_timeout(client.get(), SO_SNDTIMEO, 0);
         foreign::sigaction(SIGUSR2, &before, nullptr);
       }
       const Partner partner{[&] { OwnDescriptor{::accept(listener.get(), nullptr, nullptr)}; }};
       seen.call("connect", foreign::connect(client.get(), raw, sizeof address));
       seen.note("blocks", weft_test::blocks(client.get()));
     }},
};

class BridgeConnectingTest : public ::testing::TestWithParam<Case> {};

TEST_P(BridgeConnectingTest, SeesTheSameWithAndWithoutTheBridge) {
  weft_test::expect_the_same(GetParam());
}

INSTANTIATE_TEST_SUITE_P(RealTime, BridgeConnectingTest, ::testing::ValuesIn(connecting_cases),
                         [](const auto& one) { return std::string{one.param.name}; });

}  // namespace
