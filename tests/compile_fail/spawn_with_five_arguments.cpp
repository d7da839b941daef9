// Says: spawn() takes up to four arguments for the body

#include <weft/coroutine.hpp>

void f() {
  weft::spawn([](int, int, int, int, int) {}, 1, 2, 3, 4, 5);
}
