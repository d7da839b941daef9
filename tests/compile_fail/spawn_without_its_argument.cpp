// Says: spawn(): the body needs an argument that was not given

#include <weft/coroutine.hpp>

void f() {
  weft::spawn([](int number) { return number; });
}
