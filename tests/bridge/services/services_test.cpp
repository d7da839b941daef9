#include <chrono>
#include <csignal>
#include <cstdlib>
#include <curl/curl.h>
#include <hiredis/hiredis.h>
#include <libpq-fe.h>
#include <mariadb/mysql.h>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "weft/bridge.hpp"
#include "weft/weft.hpp"

// Plain C libraries and real servers: `tools/services run ctest -L services`.
namespace {

using namespace std::chrono_literals;

constexpr int many = 20;

struct Done {
  weft::Duration took{};
  int right = 0;
};

/// `many` coroutines make the same call; it says whether its answer was right.
template <class F>
Done all_at_once(F call) {
  Done done;
  weft::run([&] {
    const auto start = weft::now();
    weft::with_scope([&](weft::Scope& scope) {
      for (int i = 0; i < many; ++i) {
        scope.spawn([&, i] {
          if (call(i)) ++done.right;
        });
      }
    });
    done.took = weft::now() - start;
  });
  return done;
}

class Postgres {
 public:
  Postgres() : connection_{PQconnectdb(std::getenv("WEFT_PG"))} {
    PQsetNoticeProcessor(
        connection_, [](void*, const char*) {}, nullptr);
  }
  ~Postgres() { PQfinish(connection_); }
  Postgres(const Postgres&) = delete;
  Postgres& operator=(const Postgres&) = delete;
  /// The first field of the answer; "error" if there is none.
  std::string ask(const std::string& query) {
    const std::unique_ptr<PGresult, decltype(&PQclear)> result{PQexec(connection_, query.c_str()),
                                                               &PQclear};
    if (PQresultStatus(result.get()) != PGRES_TUPLES_OK) return "error";
    return PQgetvalue(result.get(), 0, 0);
  }
  [[nodiscard]] bool is_broken() const { return PQstatus(connection_) != CONNECTION_OK; }
  [[nodiscard]] int server() const { return PQbackendPID(connection_); }

 private:
  PGconn* connection_;
};

class RealTimeServicesTest : public ::testing::Test {
 protected:
  RealTimeServicesTest() { weft::bridge::install(); }
  ~RealTimeServicesTest() override { weft::bridge::uninstall(); }
  void SetUp() override {
    if (std::getenv("WEFT_PG") == nullptr) GTEST_SKIP() << "no servers: tools/services up";
  }
};

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

// A killed process makes PostgreSQL end all the others: each coroutine gets its error.
TEST_F(RealTimeServicesTest, AServerThatIsKilledInTheMiddleOfQueriesHangsNoCoroutine) {
  const Done done = all_at_once([](int i) {
    Postgres connection;
    if (i == 0) {
      weft::delay(300ms);
      ::kill(connection.server(), SIGKILL);
    }
    return connection.ask("select 1 from pg_sleep(20) as s(x)") == "error" &&
           connection.is_broken();
  });
  EXPECT_EQ(done.right, many);
  EXPECT_LT(done.took, 10s);
  for (int i = 0; i < 200; ++i) {  // it recovers by itself
    if (!Postgres{}.is_broken()) return;
    ::usleep(50'000);
  }
  FAIL() << "PostgreSQL did not come back";
}

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

TEST_F(RealTimeServicesTest, TwentyTransfersOfCurlWaitAtTheSameTime) {
  const std::string url =
      "http://127.0.0.1:" + std::string{std::getenv("WEFT_HTTP_PORT")} + "/slow/large.txt";
  const auto append = +[](char* data, std::size_t size, std::size_t count, void* to) {
    static_cast<std::string*>(to)->append(data, size * count);
    return size * count;
  };
  const Done done = all_at_once([&](int) {
    std::string body;
    CURL* const easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
    curl_easy_setopt(easy, CURLOPT_RANGE, "0-39999");
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, append);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &body);
    const bool good = curl_easy_perform(easy) == CURLE_OK;
    curl_easy_cleanup(easy);
    return good && body == std::string(40'000, 'x');
  });
  EXPECT_EQ(done.right, many);
  EXPECT_GE(done.took, 200ms);  // one alone takes 0.33 s
  EXPECT_LT(done.took, 1s);
}

struct Redis {
  redisContext* context = redisConnect("127.0.0.1", std::atoi(std::getenv("WEFT_REDIS_PORT")));
  ~Redis() { redisFree(context); }
  std::string ask(const std::string& command) {
    auto* const reply = static_cast<redisReply*>(redisCommand(context, command.c_str()));
    if (reply == nullptr) return "error";
    std::string text = reply->type == REDIS_REPLY_NIL ? "nil" : "other";
    if (reply->type == REDIS_REPLY_STRING || reply->type == REDIS_REPLY_STATUS) text = reply->str;
    if (reply->type == REDIS_REPLY_ARRAY) text = reply->element[reply->elements - 1]->str;
    freeReplyObject(reply);
    return text;
  }
};

TEST_F(RealTimeServicesTest, TwentyBlockingPopsOfHiredisWaitAtTheSameTime) {
  const Done done = all_at_once(
      [](int i) { return Redis{}.ask("BLPOP empty" + std::to_string(i) + " 0.2") == "nil"; });
  EXPECT_EQ(done.right, many);
  EXPECT_GE(done.took, 200ms);
  EXPECT_LT(done.took, 500ms);
}

TEST_F(RealTimeServicesTest, AConnectionThatRedisClosesEndsTheCall) {
  const Done done = all_at_once([](int i) {
    if (i == 0) {
      weft::delay(200ms);
      Redis{}.ask("CLIENT KILL TYPE normal");
      return true;
    }
    return Redis{}.ask("BLPOP never 20") == "error";
  });
  EXPECT_EQ(done.right, many);
  EXPECT_LT(done.took, 5s);
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
