// Says: Promise<void>::complete() takes no value

#include <weft/promise.hpp>

void f(weft::Promise<void>& promise) { promise.complete(5); }
