// Says: with_timeout() calls its body without arguments

#include <chrono>

#include <weft/with_timeout.hpp>

void f() {
  weft::with_timeout(std::chrono::seconds{5}, [](int) {});
}
