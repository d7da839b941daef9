// A hundred queries of 0.2 seconds at the same time, through libpq as it comes from the shop.
//
// PQexec() blocks. With the bridge it suspends the calling coroutine instead, so a pool of plain
// PGconn* serves many. WEFT_PG says where the server is; `tools/services up` starts one.
//
// Prints:
//   100 queries over 100 connections
//   sum of the answers: 4950
//   in less than a tenth of their sum

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <libpq-fe.h>
#include <memory>
#include <stdexcept>
#include <string>

#include <weft/bridge.hpp>
#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

PGconn* connect() {
  PGconn* const connection = PQconnectdb(std::getenv("WEFT_PG"));
  if (PQstatus(connection) == CONNECTION_OK) return connection;
  const std::string error = PQerrorMessage(connection);
  PQfinish(connection);
  throw std::runtime_error{error};
}

long ask(PGconn* connection, long number) {
  const std::string query =
      "select " + std::to_string(number) + " from pg_sleep(0.2) as waited(nothing)";
  const std::unique_ptr<PGresult, decltype(&PQclear)> result{PQexec(connection, query.c_str()),
                                                             &PQclear};
  if (PQresultStatus(result.get()) != PGRES_TUPLES_OK) {
    throw std::runtime_error{PQerrorMessage(connection)};
  }
  return std::stol(PQgetvalue(result.get(), 0, 0));
}

}  // namespace

int main() {
  constexpr long queries = 100;
  weft::bridge::install();
  return weft::run([&] {
    weft::Pool<PGconn*> pool{{
        .min = 0,
        .max = queries,
        .create = &connect,
        .destroy = [](PGconn*& connection) { PQfinish(connection); },
        .healthy = [](PGconn*& connection) { return PQstatus(connection) == CONNECTION_OK; },
    }};
    const auto start = weft::now();
    long sum = 0;
    weft::with_scope([&](weft::Scope& scope) {
      for (long i = 0; i < queries; ++i) {
        scope.spawn([&, i] { sum += ask(*pool.acquire(), i); });
      }
    });
    const auto took = weft::now() - start;
    std::cout << queries << " queries over " << pool.size() << " connections\n"
              << "sum of the answers: " << sum << "\n"
              << (took < queries * 20ms ? "in less than a tenth of their sum\n" : "slowly\n");
    return 0;
  });
}
