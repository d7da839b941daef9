#include <chrono>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

int main() {
  return weft::run([] {
    auto a = weft::spawn([] {
      weft::delay(1ms);
      return 40;
    });
    auto b = weft::spawn([](int x) { return x; }, 2);
    return weft::await(a) + weft::await(b) == 42 ? 0 : 1;
  });
}
