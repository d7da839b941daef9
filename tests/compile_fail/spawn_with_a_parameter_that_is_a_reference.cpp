// Says: for a parameter T& give std::ref(argument)

#include <weft/coroutine.hpp>

void f() {
  int count = 0;
  weft::spawn([](int& number) { ++number; }, count);
}
