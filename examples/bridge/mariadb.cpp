// Twenty queries of 0.2 seconds at the same time, through the client library of MariaDB.
//
// WEFT_MARIADB_PORT says where the server is; `tools/services up` starts one.
//
// Prints:
//   sum of the answers: 190
//   in less than a second

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <mariadb/mysql.h>
#include <memory>
#include <stdexcept>
#include <string>

#include <weft/bridge.hpp>
#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

long ask(long number) {
  const std::unique_ptr<MYSQL, decltype(&mysql_close)> connection{mysql_init(nullptr),
                                                                  &mysql_close};
  const auto port = static_cast<unsigned>(std::atoi(std::getenv("WEFT_MARIADB_PORT")));
  if (mysql_real_connect(connection.get(), "127.0.0.1", "root", nullptr, nullptr, port, nullptr,
                         0) == nullptr) {
    throw std::runtime_error{mysql_error(connection.get())};
  }
  const std::string query = "select sleep(0.2) + " + std::to_string(number);
  if (mysql_query(connection.get(), query.c_str()) != 0) {
    throw std::runtime_error{mysql_error(connection.get())};
  }
  const std::unique_ptr<MYSQL_RES, decltype(&mysql_free_result)> result{
      mysql_store_result(connection.get()), &mysql_free_result};
  return std::stol(mysql_fetch_row(result.get())[0]);
}

}  // namespace

int main() {
  mysql_library_init(0, nullptr, nullptr);
  weft::bridge::install();
  weft::run([] {
    const auto start = weft::now();
    long sum = 0;
    weft::with_scope([&](weft::Scope& scope) {
      for (long i = 0; i < 20; ++i) scope.spawn([&, i] { sum += ask(i); });
    });
    std::cout << "sum of the answers: " << sum << "\n"
              << (weft::now() - start < 1s ? "in less than a second\n" : "slowly\n");
  });
}
