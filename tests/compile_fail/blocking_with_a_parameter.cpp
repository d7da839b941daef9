// Says: blocking() calls its function without arguments

#include <weft/blocking.hpp>

void f() {
  const int value = weft::blocking([](int number) { return number; });
  static_cast<void>(value);
}
