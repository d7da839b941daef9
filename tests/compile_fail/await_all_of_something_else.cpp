// Says: await_all() takes a range of coroutines or futures

#include <weft/combinators.hpp>
#include <weft/future.hpp>

void f(const weft::Future<int>& future) { weft::await_all(future, 5); }
