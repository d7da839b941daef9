// Says: await() waits for the event, not for a Ref to it

#include <weft/await.hpp>
#include <weft/timer.hpp>

void f(const weft::Ref<weft::Timer>& timer) { weft::await(timer); }
