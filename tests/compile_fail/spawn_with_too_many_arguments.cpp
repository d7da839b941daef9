// Says: spawn(): the body cannot be called with these arguments

#include <weft/coroutine.hpp>

void f() {
  weft::spawn([](int number) { return number; }, 1, 2);
}
