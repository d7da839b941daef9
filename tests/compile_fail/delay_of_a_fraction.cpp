// Says: delay() counts in whole units

#include <chrono>

#include <weft/delay.hpp>

using namespace std::chrono_literals;

void f() { weft::delay(0.5s); }
