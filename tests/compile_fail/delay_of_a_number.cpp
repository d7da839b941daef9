// Says: a time needs a unit: 5ms, or std::chrono::seconds{5}

#include <weft/delay.hpp>

void f() { weft::delay(5); }
