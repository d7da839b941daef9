#include <string>

#include "services.hpp"
#include "weft/extend/bridge_host.hpp"

// Cancellation of a library in the middle of its work.
namespace {

using namespace std::chrono_literals;
using weft_test::Postgres;
using weft_test::RealTimeServicesTest;

TEST_F(RealTimeServicesTest, ACancelledQueryEndsAtOnce) {
  weft::run([] {
    Postgres connection;
    std::string answer;
    auto query =
        weft::spawn([&] { answer = connection.ask("select 1 from pg_sleep(20) as s(x)"); });
    weft::delay(50ms);
    const auto start = weft::now();
    query.cancel();
    EXPECT_THROW(weft::await(query), weft::Cancelled);
    EXPECT_EQ(answer, "error");  // libpq gave up; no call of weft has thrown in between
    EXPECT_LT(weft::now() - start, 2s);
  });
}

/// Cancels the coroutine when it is about to wait for the nth time.
class CancelsAt final : public weft::bridge::Host {
 public:
  explicit CancelsAt(int which) : left_{which} { weft::bridge::set_host(this); }
  ~CancelsAt() { weft::bridge::set_host(nullptr); }
  CancelsAt(const CancelsAt&) = delete;
  CancelsAt& operator=(const CancelsAt&) = delete;
  bool before_wait(const char* /*call*/) noexcept override {
    if (--left_ == 0) weft::current().cancel();
    return true;
  }
  void after_wait(weft::bridge::Ended ended) noexcept override {
    if (ended == weft::bridge::Ended::cancelled) has_cancelled = true;
  }
  bool has_cancelled = false;

 private:
  int left_;
};

TEST_F(RealTimeServicesTest, AQueryThatIsCancelledAtAnyOfItsWaitsEndsWithAnError) {
  const std::string query = "select repeat('x', 300000) from pg_sleep(0.01) as s(x)";
  int waits = 0;
  bool went_through = false;
  while (!went_through && waits < 1'000) {
    ++waits;
    weft::run([&] {
      CancelsAt host{waits};
      std::string answer;
      auto asking = weft::spawn([&] {
        Postgres connection;
        answer = connection.ask(query);
      });
      try {
        weft::await(asking);
        went_through = !host.has_cancelled;
      } catch (const weft::Cancelled&) {
        EXPECT_TRUE(host.has_cancelled);
      }
      // libpq may have sent all it wants when it waits for the last time.
      EXPECT_EQ(answer, host.has_cancelled ? "error" : std::string(300'000, 'x')) << waits;
    });
  }
  EXPECT_TRUE(went_through);
  EXPECT_GT(waits, 3);  // the greeting, the answer to it, the query
  EXPECT_EQ(Postgres{}.ask("select 1"), "1");
}

}  // namespace
