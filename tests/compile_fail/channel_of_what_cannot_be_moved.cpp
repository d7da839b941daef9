// Says: the values of a channel are moved through it, and these cannot be

#include <atomic>

#include <weft/channel.hpp>

void f() { weft::Channel<std::atomic<int>> channel{1}; }
