#include <iostream>

#include <weft/weft.hpp>

int main() {
  weft::run([] {
    auto tea = weft::spawn([] { weft::delay(std::chrono::milliseconds{20}); });
    auto sum = weft::spawn([](int a, int b) { return a + b; }, 40, 2);
    std::cout << weft::await(sum) << ", and the tea is still brewing\n";
    weft::await(tea);
  });
}

// Prints:
//   42, and the tea is still brewing
