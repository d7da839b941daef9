#pragma once

#include <chrono>
#include <cstdlib>
#include <curl/curl.h>
#include <hiredis/hiredis.h>
#include <libpq-fe.h>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "weft/bridge.hpp"
#include "weft/weft.hpp"

// Plain C libraries and real servers: `tools/services run ctest -L services`.
namespace weft_test {

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

struct Redis {
  explicit Redis(int port = std::atoi(std::getenv("WEFT_REDIS_PORT")))
      : context{redisConnect("127.0.0.1", port)} {}
  Redis(const Redis&) = delete;
  Redis& operator=(const Redis&) = delete;
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

  redisContext* context;
};

/// What nginx sends for `path`; "error" if it fails.
inline std::string fetch(const std::string& path, const char* range = nullptr) {
  const std::string url = "http://127.0.0.1:" + std::string{std::getenv("WEFT_HTTP_PORT")} + path;
  const auto append = +[](char* data, std::size_t size, std::size_t count, void* to) {
    static_cast<std::string*>(to)->append(data, size * count);
    return size * count;
  };
  std::string body;
  CURL* const easy = curl_easy_init();
  curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
  if (range != nullptr) curl_easy_setopt(easy, CURLOPT_RANGE, range);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, append);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &body);
  const bool good = curl_easy_perform(easy) == CURLE_OK;
  curl_easy_cleanup(easy);
  return good ? body : "error";
}

class RealTimeServicesTest : public ::testing::Test {
 protected:
  RealTimeServicesTest() { weft::bridge::install(); }
  ~RealTimeServicesTest() override { weft::bridge::uninstall(); }
  void SetUp() override {
    ASSERT_NE(std::getenv("WEFT_PG"), nullptr) << "run it with tools/with_services.py";
  }
};

}  // namespace weft_test
