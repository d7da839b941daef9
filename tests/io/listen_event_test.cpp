#include <netinet/in.h>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <vector>

#include <gtest/gtest.h>

#include "descriptors.hpp"
#include "failures.hpp"
#include "support.hpp"
#include "weft/extend/embed.hpp"

namespace listen_event_test {

using namespace std::chrono_literals;
using weft::ListenEvent;
using weft_test::Call;
using weft_test::error_of;
using weft_test::is;
using weft_test::OwnDescriptor;
using weft_test::text;

/// A raw socket that listens on the loopback.
struct Listening {
  Listening() : socket{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(socket.get(), raw(), size), 0);
    EXPECT_EQ(::listen(socket.get(), 16), 0);
    EXPECT_EQ(::getsockname(socket.get(), raw(), &size), 0);
  }
  sockaddr* raw() { return reinterpret_cast<sockaddr*>(&address); }
  OwnDescriptor connect() {
    OwnDescriptor client{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    EXPECT_EQ(::connect(client.get(), raw(), size), 0);
    return client;
  }
  sockaddr_in address{};
  socklen_t size = sizeof(sockaddr_in);
  OwnDescriptor socket;
};

// R-LSN-1
TEST(ListenEventTest, NotifiesOnceOfEachConnectionWhichItsTakerOwns) {
  weft::testing::run([] {
    Listening listening;
    ListenEvent event{listening.socket.get()};
    std::vector<int> taken;
    Call call{[&](weft::Event&, const weft::Outcome&) { taken.push_back(event.take()); }};
    event.add_callback(call);
    event.start();
    std::vector<OwnDescriptor> clients;
    for (int i = 0; i < 3; ++i) clients.push_back(listening.connect());
    for (int i = 0; i < 6; ++i) weft::tick_reactor();
    ASSERT_EQ(taken.size(), 3U);
    event.stop();
    event.remove_callback(call);
    for (std::size_t i = 0; i < 3; ++i) {
      OwnDescriptor own{taken[i]};
      EXPECT_NE(::fcntl(own.get(), F_GETFD) & FD_CLOEXEC, 0);
      weft_test::put(clients[i].get(), std::to_string(i));
      EXPECT_EQ(weft_test::take(own.get()), std::to_string(i));
    }
    EXPECT_EQ(event.take(), -1);
  });
}

// R-LSN-1
TEST(ListenEventTest, OneThatWasNotTakenIsReportedAgain) {
  weft::testing::run([] {
    Listening listening;
    int connection = -1;
    {
      ListenEvent event{listening.socket.get()};
      const OwnDescriptor client = listening.connect();
      weft::await(event);
      weft::await(event, weft::timeout(1s));
      EXPECT_EQ(event.peer().host(), "127.0.0.1");
      connection = event.take();
      ::close(connection);
      const OwnDescriptor second = listening.connect();
      weft::await(event);
    }
    EXPECT_FALSE(weft_test::is_open(connection));  // the connection that was not taken is closed
  });
}

// R-LSN-1
TEST(ListenEventTest, AnErrorIsDelivered) {
  if (!weft_test::descriptors_can_run_out()) GTEST_SKIP() << "not under checkers";
  weft::testing::run([] {
    Listening listening;
    ListenEvent event{listening.socket.get()};
    const OwnDescriptor client = listening.connect();
    event.start();
    rlimit before{};
    ::getrlimit(RLIMIT_NOFILE, &before);
    rlimit few = before;
    few.rlim_cur = 3;  // open descriptors stay open
    ::setrlimit(RLIMIT_NOFILE, &few);
    const auto error = error_of([&] { weft::await(event); });
    ::setrlimit(RLIMIT_NOFILE, &before);
    EXPECT_TRUE(is<std::system_error>(error));
    EXPECT_EQ(text(error).find("accept from Listen(host=127.0.0.1"), 0U) << text(error);
    weft::await(event);
    EXPECT_TRUE(weft_test::is_open(OwnDescriptor{event.take()}.get()));
    event.stop();
  });
}

// R-OBS-3, R-HID-1
TEST(ListenEventTest, DescribesItselfAndCountsOnce) {
  weft::testing::run([] {
    Listening listening;
    ListenEvent event{listening.socket.get()};
    EXPECT_EQ(event.info(), "Listen(host=127.0.0.1, port=" +
                                std::to_string(ntohs(listening.address.sin_port)) + ")");
    event.start();
    event.start();
    EXPECT_EQ(weft::stats().active_events, 1U);
    event.stop();
    event.stop();
    event.stop();
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_EQ(weft::stats().hidden_events, 0U);
  });
}

TEST(ListenEventTest, IsCancelledAtEverySuspension) {
  const auto report = weft::testing::explore(
      [] {
        Listening listening;
        const OwnDescriptor client = listening.connect();
        weft::with_scope([&](weft::Scope& scope) {
          scope.spawn([&] {
            ListenEvent event{listening.socket.get()};
            weft::await(event, weft::timeout(1s));
            const OwnDescriptor taken{event.take()};
          });
        });
      },
      {.cancel = weft::testing::every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
}

}  // namespace listen_event_test
