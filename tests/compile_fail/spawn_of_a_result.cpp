// Says: spawn() needs a function or a lambda to run

#include <weft/coroutine.hpp>

int work() { return 5; }

void f() { weft::spawn(work()); }
