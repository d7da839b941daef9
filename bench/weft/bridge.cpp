// What the bridge costs, in nanoseconds a call: outside a coroutine, with data ready, and in a
// round trip to PostgreSQL (WEFT_PG; tools/services starts one); and how many queries a second
// 1,000 coroutines get through 20 connections. Prints a table; bench/bridge repeats it in turns
// with pgbench, the peer of the last row.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <libpq-fe.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include <weft/bridge.hpp>
#include <weft/weft.hpp>

namespace {

using Clock = std::chrono::steady_clock;

/// The best of many batches, in nanoseconds a call.
template <class F>
double cost(int calls, F call) {
  constexpr int batches = 60;
  double best = 1e18;
  for (int batch = 0; batch < batches; ++batch) {
    const auto start = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    const std::chrono::duration<double, std::nano> took = Clock::now() - start;
    best = std::min(best, took.count() / calls);
  }
  return best;
}

void row(const char* what, double plain, double bridged) {
  std::printf("%-44s %10.1f %10.1f   %+7.1f ns  x %.3f\n", what, plain, bridged, bridged - plain,
              bridged / plain);
}

void query(PGconn* connection) { PQclear(PQexec(connection, "select 1")); }

/// Waves of `queries` coroutines at once, each of which takes a connection for its query. The first
/// wave also maps the stacks.
struct Rates {
  double first;
  double median;
};
Rates queries_per_second(int queries, int connections) {
  std::vector<PGconn*> open;
  for (int i = 0; i < connections; ++i) open.push_back(PQconnectdb(std::getenv("WEFT_PG")));
  std::vector<double> rates;
  weft::run([&] {
    std::size_t next = 0;
    weft::Pool<PGconn*> pool{{
        .min = 0,
        .max = connections,
        .create = [&] { return open[next++]; },
    }};
    for (int wave = 0; wave < 21; ++wave) {
      const auto start = Clock::now();
      weft::with_scope([&](weft::Scope& scope) {
        for (int i = 0; i < queries; ++i) scope.spawn([&] { query(*pool.acquire()); });
      });
      const std::chrono::duration<double> took = Clock::now() - start;
      rates.push_back(queries / took.count());
    }
  });
  for (PGconn* connection : open) PQfinish(connection);
  const double first = rates.front();
  const auto middle = rates.begin() + 10;
  std::nth_element(rates.begin(), middle, rates.end());
  return {first, *middle};
}

}  // namespace

int main() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
  if (::send(ends[1], "x", 1, 0) != 1) return 1;
  char byte = 0;
  const auto refused = [&] { static_cast<void>(::recv(-1, &byte, 1, 0)); };
  const auto ready = [&] { static_cast<void>(::recv(ends[0], &byte, 1, MSG_PEEK)); };
  PGconn* const connection =
      std::getenv("WEFT_PG") != nullptr ? PQconnectdb(std::getenv("WEFT_PG")) : nullptr;
  const auto ask = [&] { query(connection); };

  std::printf("%-44s %10s %10s\n", "ns a call, best batch", "plain", "bridged");
  const double plain_refused = cost(20'000, refused);
  const double plain_ready = cost(20'000, ready);
  const double plain_query = connection != nullptr ? cost(200, ask) : 0;
  weft::bridge::install();
  row("a call outside a coroutine", plain_refused, cost(20'000, refused));
  weft::run([&] {
    row("recv() with data ready, in a coroutine", plain_ready, cost(20'000, ready));
    if (connection != nullptr) {
      row("a query through libpq, in a coroutine", plain_query, cost(200, ask));
    }
  });
  if (connection != nullptr) {
    const Rates rates = queries_per_second(1'000, 20);
    std::printf("1,000 queries over 20 connections: %.0f a second, the first time %.0f\n",
                rates.median, rates.first);
    PQfinish(connection);
  }
}
