// Says: a pool owns what it lends

#include <weft/pool.hpp>

int shared = 0;

void f() {
  weft::Pool<int&> pool{{.max = 1, .create = [] { return shared; }}};
}
