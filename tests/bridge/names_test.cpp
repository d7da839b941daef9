#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "conformance.hpp"
#include "held_lookups.hpp"
#include "weft/file.hpp"

// Lookups: what they find, where they put it, and what they leave to others.
namespace {

using weft_test::Bridged;
using weft_test::Case;
using weft_test::OwnDescriptor;
using weft_test::Seen;

void note_host(Seen& seen, const char* name, const hostent* host) {
  seen.note(name, host != nullptr);
  if (host == nullptr) return;
  std::array<char, INET6_ADDRSTRLEN> text{};
  ::inet_ntop(host->h_addrtype, host->h_addr_list[0], text.data(), text.size());
  seen.note("name", host->h_name).note("address", text.data());
}

/// Answers each question with the address 127.0.0.7, like a name server.
class NameServer {
 public:
  NameServer() {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address_;
    ::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address_), size);
    ::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address_), &size);
    thread_ = std::thread{[this] { serve(); }};
  }
  ~NameServer() {
    const OwnDescriptor end{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
    ::sendto(end.get(), "", 0, 0, reinterpret_cast<sockaddr*>(&address_), sizeof address_);
    thread_.join();
  }
  NameServer(const NameServer&) = delete;
  NameServer& operator=(const NameServer&) = delete;
  /// Makes `state` ask this server, and no other one.
  void serve_for(struct __res_state& state) const {
    state.nscount = 1;
    state.nsaddr_list[0] = address_;
    state.retrans = 5;
    state.retry = 1;
    state.options &= ~static_cast<unsigned long>(RES_DNSRCH | RES_DEFNAMES);
  }

 private:
  void serve() const {
    std::array<unsigned char, 512> packet{};
    while (true) {
      sockaddr_in from{};
      socklen_t from_size = sizeof from;
      const ssize_t got = ::recvfrom(socket_.get(), packet.data(), packet.size(), 0,
                                     reinterpret_cast<sockaddr*>(&from), &from_size);
      if (got < 12) return;
      auto size = static_cast<std::size_t>(got);
      packet[2] |= 0x80;  // an answer
      packet[3] = 0x80;
      packet[7] = 1;  // one record
      packet[8] = packet[9] = packet[10] = packet[11] = 0;
      std::size_t end = 12;  // behind the question
      while (end < size && packet[end] != 0) end += packet[end] + 1U;
      size = end + 5;
      constexpr std::array<unsigned char, 16> record{0xc0, 12, 0, 1, 0,   1, 0, 0,
                                                     0,    60, 0, 4, 127, 0, 0, 7};
      for (const unsigned char byte : record) packet[size++] = byte;
      ::sendto(socket_.get(), packet.data(), size, 0, reinterpret_cast<sockaddr*>(&from),
               from_size);
    }
  }

  OwnDescriptor socket_{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  sockaddr_in address_{};
  std::thread thread_;
};

/// Questions to a server of the test's own.
void ask_all(Seen& seen) {
  const NameServer server;
  struct __res_state own {};
  ::res_ninit(&own);
  server.serve_for(own);
  ::res_init();
  const struct __res_state before = _res;
  server.serve_for(_res);
  std::array<unsigned char, 512> answer{};
  const auto note = [&](const char* name, int size) {
    seen.call(name, size);
    if (size > 0) seen.note("last", int{answer[static_cast<std::size_t>(size) - 1]});
    errno = 0;
    answer = {};
    seen.note("h_errno", size < 0 ? h_errno : 0);
  };
  const int room = static_cast<int>(answer.size());
  const auto at = answer.data();
  std::array<unsigned char, 512> question{};
  const int size = ::res_mkquery(ns_o_query, "some.name", ns_c_in, ns_t_a, nullptr, 0, nullptr,
                                 question.data(), static_cast<int>(question.size()));
  errno = 0;
  note("res_query", foreign::res_query("some.name", ns_c_in, ns_t_a, at, room));
  note("res_search", foreign::res_search("some.name", ns_c_in, ns_t_a, at, room));
  note("res_querydomain", foreign::res_querydomain("some", "name", ns_c_in, ns_t_a, at, room));
  note("res_send", foreign::res_send(question.data(), size, at, room));
  note("res_nquery", foreign::res_nquery(&own, "some.name", ns_c_in, ns_t_a, at, room));
  note("res_nsearch", foreign::res_nsearch(&own, "some.name", ns_c_in, ns_t_a, at, room));
  note("res_nquerydomain",
       foreign::res_nquerydomain(&own, "some", "name", ns_c_in, ns_t_a, at, room));
  note("res_nsend", foreign::res_nsend(&own, question.data(), size, at, room));
  _res.nscount = before.nscount;
  _res.nsaddr_list[0] = before.nsaddr_list[0];
  _res.options = before.options;
  ::res_nclose(&own);
}

const Case name_cases[] = {
    {"hosts_by_name_and_address",
     [](Seen& seen) {
       note_host(seen, "gethostbyname2", foreign::gethostbyname2("127.0.0.5", AF_INET));
       hostent host{};
       hostent* found = nullptr;
       int error = 0;
       std::array<char, 1024> memory{};
       seen.note("gethostbyname2_r",
                 foreign::gethostbyname2_r("127.0.0.6", AF_INET, &host, memory.data(),
                                           memory.size(), &found, &error));
       note_host(seen, "found", found);
       const in_addr loopback{htonl(INADDR_LOOPBACK)};
       seen.note("gethostbyaddr_r",
                 foreign::gethostbyaddr_r(&loopback, sizeof loopback, AF_INET, &host, memory.data(),
                                          memory.size(), &found, &error));
       note_host(seen, "found", found);
       seen.note("too small", foreign::gethostbyaddr_r(&loopback, sizeof loopback, AF_INET, &host,
                                                       memory.data(), 8, &found, &error));
       note_host(seen, "found", found);
     }},
    {"questions_to_a_name_server", &ask_all},
};

class BridgeNamesTest : public ::testing::TestWithParam<Case> {};

TEST_P(BridgeNamesTest, SeesTheSameWithAndWithoutTheBridge) {
  weft_test::expect_the_same(GetParam());
}

INSTANTIATE_TEST_SUITE_P(RealTime, BridgeNamesTest, ::testing::ValuesIn(name_cases),
                         [](const auto& one) { return std::string{one.param.name}; });

// trap 54
TEST(BridgeNames, EachCoroutineKeepsTheHostThatItHasLookedUp) {
  const Bridged bridged;
  weft::testing::run([&] {
    constexpr int many = 100;
    int right = 0;
    int looked_up = 0;
    weft::with_scope([&](weft::Scope& scope) {
      for (int i = 1; i <= many; ++i) {
        scope.spawn([&, i] {
          const hostent* const host =
              foreign::gethostbyname(("127.0.0." + std::to_string(i)).c_str());
          ++looked_up;
          while (looked_up < many) weft::suspend();
          if (host != nullptr && static_cast<unsigned char>(host->h_addr_list[0][3]) == i) ++right;
        });
      }
    });
    EXPECT_EQ(right, many);
  });
}

// trap 53
TEST(RealTimeBridgeNames, LookupsThatHangLeaveWorkersToFiles) {
  const Bridged bridged;
  weft_test::HeldLookups held;
  weft::run([&] {
    const weft_test::FileWith file{"content"};
    std::vector<weft::Coroutine<void>> lookups;
    for (int i = 0; i < 8; ++i) {
      lookups.push_back(weft::spawn([] {
        addrinfo* found = nullptr;
        EXPECT_EQ(foreign::getaddrinfo("some.held", nullptr, nullptr, &found), 0);
        if (found != nullptr) ::freeaddrinfo(found);
      }));
    }
    weft::suspend();
    std::array<char, 8> to{};
    EXPECT_EQ(weft::File::open(file.path()).read_some(std::as_writable_bytes(std::span{to})), 7U);
    held.release();
    for (const auto& lookup : lookups) weft::await(lookup);
  });
}

TEST(RealTimeBridgeNames, ALookupThatIsCancelledBeforeAWorkerTakesItIsNeverMade) {
  const Bridged bridged;
  weft_test::HeldLookups held;
  weft::run([&] {
    std::vector<weft::Coroutine<void>> lookups;
    for (int i = 0; i < 8; ++i) {
      lookups.push_back(weft::spawn([] {
        addrinfo* found = nullptr;
        if (foreign::getaddrinfo("some.held", nullptr, nullptr, &found) == 0) {
          ::freeaddrinfo(found);
        }
      }));
    }
    weft::suspend();
    held.wait_until_taken(2);
    for (const auto& lookup : lookups) lookup.cancel();
    weft::suspend();
    held.release();
    held.wait_until_gone();
    EXPECT_EQ(held.taken(), 2U);
  });
}

TEST(BridgeNames, ALookupThatSucceedsLeavesErrnoAlone) {
  const Bridged bridged;
  weft::testing::run([&] {
    constexpr int untouched = 7'777;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    addrinfo* found = nullptr;
    errno = untouched;
    EXPECT_EQ(foreign::getaddrinfo("127.0.0.5", nullptr, nullptr, &found), 0);
    EXPECT_EQ(errno, untouched);
    ::freeaddrinfo(found);
    std::array<char, 64> service{};
    errno = untouched;
    EXPECT_EQ(foreign::getnameinfo(reinterpret_cast<const sockaddr*>(&address), sizeof address,
                                   nullptr, 0, service.data(), service.size(), 0),
              0);
    EXPECT_EQ(errno, untouched);
    errno = untouched;
    EXPECT_NE(foreign::gethostbyname("127.0.0.5"), nullptr);
    EXPECT_EQ(errno, untouched);
  });
}

}  // namespace
