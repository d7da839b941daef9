// Says: on_send() calls its function without arguments

#include <weft/select.hpp>

void f(weft::Channel<int>& channel) {
  weft::select(weft::on_send(channel, 5, [](int) {}));
}
