// Says: await() of a temporary event

#include <chrono>

#include <weft/await.hpp>
#include <weft/timer.hpp>

void f() { weft::await(weft::Timer{std::chrono::seconds{1}}); }
