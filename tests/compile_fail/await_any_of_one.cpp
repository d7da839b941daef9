// Says: await_any() takes a range of coroutines or futures

#include <weft/combinators.hpp>
#include <weft/future.hpp>

void f(const weft::Future<int>& future) { weft::await_any(future); }
