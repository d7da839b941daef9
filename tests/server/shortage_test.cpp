#include <algorithm>
#include <string>
#include <sys/resource.h>
#include <vector>

#include <gtest/gtest.h>

#include "descriptors.hpp"
#include "support.hpp"

// The process has no descriptors left for new connections.
namespace {

using namespace std::chrono_literals;

/// While it lives, the process may open only `room` more descriptors.
class FewDescriptors {
 public:
  explicit FewDescriptors(std::size_t room) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit few = before_;
    few.rlim_cur = 128;
    ::setrlimit(RLIMIT_NOFILE, &few);
    for (int next = 0; (next = ::dup(0)) >= 0;) all_.emplace_back(next);
    all_.resize(all_.size() - room);
  }
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;

 private:
  rlimit before_{};
  std::vector<weft_test::OwnDescriptor> all_;
};

TEST(ServeShortageTest, AClientWithoutADescriptorWaitsAndIsServedLater) {
  if (!weft_test::descriptors_can_run_out()) GTEST_SKIP() << "not under checkers";
  weft::run([] {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    std::vector<weft::TcpStream> clients;
    for (int i = 0; i < 10; ++i) {
      clients.push_back(weft::TcpStream::connect("127.0.0.1", listener.port()));
      clients.back().write_all(std::to_string(i) + "\n");
    }
    const FewDescriptors few{3};
    weft::Trigger stop;
    weft::ServeCounts counts;
    std::size_t most = 0;
    const auto answer = [&](weft::TcpStream stream) {
      most = std::max(most, counts.open);
      while (counts.pauses == 0) weft::delay(1ms);  // until accepting has paused
      stream.write_all(*stream.read_line() + "!\n");
    };
    auto server = weft::spawn([&] {
      weft::serve(listener, answer, {.max_connections = 100, .stop = stop, .counts = &counts});
    });
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(clients[static_cast<std::size_t>(i)].read_line(weft::timeout(20s)),
                std::to_string(i) + "!");
    }
    stop.fire();
    weft::await(server);
    EXPECT_GT(counts.pauses, 0U);
    EXPECT_EQ(counts.accepted, 10U);
    EXPECT_EQ(counts.failed, 0U);
    EXPECT_EQ(counts.open, 0U);
    EXPECT_LE(most, 4U);  // three descriptors, and one for the accept()
  });
}

}  // namespace
