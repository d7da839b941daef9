// Says: on_recv() calls its function with the value that was received

#include <string>

#include <weft/select.hpp>

void f(weft::Channel<int>& channel) {
  weft::select(weft::on_recv(channel, [](const std::string&) {}));
}
