// A test that uses weft::testing of an installed weft.
#include <chrono>
#include <iostream>

#include <weft/testing.hpp>
#include <weft/weft.hpp>

int main() {
  const auto report = weft::testing::explore([] {
    auto one = weft::spawn([] { weft::suspend(); });
    auto two = weft::spawn([] { weft::delay(std::chrono::hours{1}); });
    weft::await(one);
    weft::await(two);
  });
  if (report.failures() != 0) {
    std::cout << report.first_failure() << "\n";
    return 1;
  }
  weft::testing::run([] { weft::delay(std::chrono::hours{24}); });
  std::cout << "explored\n";
}
