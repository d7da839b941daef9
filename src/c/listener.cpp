#include "weft/listener.hpp"

#include "c/guard.hpp"
#include "c/stream.hpp"
#include "weft/timeout.hpp"

using weft::c::guarded;
using weft::c::milliseconds;

struct weft_listener {
  weft::Listener listener;
};

extern "C" {

int weft_tcp_listen_at(weft_listener** listener, const char* host, uint16_t port, const char* file,
                       unsigned line) {
  *listener = nullptr;
  return guarded([&] {
    *listener = new weft_listener{weft::Listener::tcp(host, port, {}, {file, line})};
  });
}

int weft_tcp_listen(weft_listener** listener, const char* host, uint16_t port) {
  return weft_tcp_listen_at(listener, host, port, nullptr, 0);
}

int weft_unix_listen(weft_listener** listener, const char* path) {
  *listener = nullptr;
  return guarded([&] { *listener = new weft_listener{weft::Listener::unix_path(path)}; });
}

int weft_listener_accept_at(weft_listener* listener, weft_stream** stream, const char* file,
                            unsigned line) {
  *stream = nullptr;
  return guarded([&] {
    *stream = new weft_stream{weft::Stream{listener->listener.accept_io({}, {file, line})}};
  });
}

int weft_listener_accept(weft_listener* listener, weft_stream** stream) {
  return weft_listener_accept_at(listener, stream, nullptr, 0);
}

int weft_listener_accept_for_at(weft_listener* listener, weft_stream** stream, uint64_t time,
                                const char* file, unsigned line) {
  *stream = nullptr;
  return guarded([&] {
    auto limit = weft::timeout(milliseconds(time));
    *stream = new weft_stream{weft::Stream{listener->listener.accept_io(limit, {file, line})}};
  });
}

int weft_listener_accept_for(weft_listener* listener, weft_stream** stream, uint64_t time) {
  return weft_listener_accept_for_at(listener, stream, time, nullptr, 0);
}

uint16_t weft_listener_port(const weft_listener* listener) {
  return listener->listener.is_open() ? listener->listener.port() : std::uint16_t{0};
}

void weft_listener_close(weft_listener* listener) { listener->listener.close(); }

void weft_listener_release(weft_listener* listener) { delete listener; }

}  // extern "C"
