// Says: a time needs a unit: 5ms, or std::chrono::seconds{5}

#include <weft/with_timeout.hpp>

void f() {
  weft::with_timeout(5, [] {});
}
