#include "services.hpp"

#include <mariadb/mysql.h>
#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;
using weft_test::all_at_once;
using weft_test::Done;
using weft_test::fetch;
using weft_test::many;
using weft_test::Postgres;
using weft_test::RealTimeServicesTest;
using weft_test::Redis;

TEST_F(RealTimeServicesTest, TwentyQueriesToPostgreSqlWaitAtTheSameTime) {
  std::vector<std::unique_ptr<Postgres>> connections;
  for (int i = 0; i < many; ++i) connections.push_back(std::make_unique<Postgres>());
  const Done done = all_at_once([&](int i) {
    return connections[static_cast<std::size_t>(i)]->ask(
               "select " + std::to_string(i) + " from pg_sleep(0.2) as s(x)") == std::to_string(i);
  });
  EXPECT_EQ(done.right, many);
  EXPECT_GE(done.took, 200ms);
  EXPECT_LT(done.took, 500ms);
}

TEST_F(RealTimeServicesTest, TwentyConnectionsAreMadeInCoroutines) {
  const Done done = all_at_once([](int i) {
    Postgres connection;
    return connection.ask("select " + std::to_string(i)) == std::to_string(i);
  });
  EXPECT_EQ(done.right, many);
}

TEST_F(RealTimeServicesTest, MuchDataArrivesWhole) {
  const Done done = all_at_once([](int i) {
    Postgres connection;
    const std::string letter(1, static_cast<char>('a' + i));
    return connection.ask("select repeat('" + letter + "', 1000000)") ==
           std::string(1'000'000, letter[0]);
  });
  EXPECT_EQ(done.right, many);
}

TEST_F(RealTimeServicesTest, TwentyTransfersOfCurlWaitAtTheSameTime) {
  const Done done = all_at_once(
      [](int) { return fetch("/slow/large.txt", "0-39999") == std::string(40'000, 'x'); });
  EXPECT_EQ(done.right, many);
  EXPECT_GE(done.took, 200ms);  // one alone takes 0.33 s
  EXPECT_LT(done.took, 1s);
}

TEST_F(RealTimeServicesTest, TwentyBlockingPopsOfHiredisWaitAtTheSameTime) {
  const Done done = all_at_once(
      [](int i) { return Redis{}.ask("BLPOP empty" + std::to_string(i) + " 0.2") == "nil"; });
  EXPECT_EQ(done.right, many);
  EXPECT_GE(done.took, 200ms);
  EXPECT_LT(done.took, 500ms);
}

TEST_F(RealTimeServicesTest, TwentyQueriesToMariaDbWaitAtTheSameTime) {
  std::vector<MYSQL*> connections;
  for (int i = 0; i < many; ++i) {
    connections.push_back(mysql_init(nullptr));
    const auto port = static_cast<unsigned>(std::atoi(std::getenv("WEFT_MARIADB_PORT")));
    ASSERT_NE(mysql_real_connect(connections.back(), "127.0.0.1", "root", nullptr, nullptr, port,
                                 nullptr, 0),
              nullptr)
        << mysql_error(connections.back());
  }
  const Done done = all_at_once([&](int i) {
    MYSQL* const connection = connections[static_cast<std::size_t>(i)];
    const std::string query = "select sleep(0.2) + " + std::to_string(i);
    if (mysql_query(connection, query.c_str()) != 0) return false;
    MYSQL_RES* const result = mysql_store_result(connection);
    const bool good = mysql_fetch_row(result)[0] == std::to_string(i);
    mysql_free_result(result);
    return good;
  });
  for (MYSQL* connection : connections) mysql_close(connection);
  EXPECT_EQ(done.right, many);
  EXPECT_GE(done.took, 200ms);
  EXPECT_LT(done.took, 500ms);
}

}  // namespace
