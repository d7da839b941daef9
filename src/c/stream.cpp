#include "c/stream.hpp"

#include <cerrno>
#include <memory>
#include <sys/socket.h>
#include <system_error>

#include "c/guard.hpp"
#include "io/sockets.hpp"
#include "weft/tcp.hpp"
#include "weft/timeout.hpp"
#include "weft/unix_stream.hpp"

using weft::c::guarded;
using weft::c::milliseconds;

extern "C" {

int weft_tcp_connect_at(weft_stream** stream, const char* host, uint16_t port, const char* file,
                        unsigned line) {
  *stream = nullptr;
  return guarded([&] {
    *stream = new weft_stream{weft::TcpStream::connect(host, port, {}, {file, line})};
  });
}

int weft_tcp_connect(weft_stream** stream, const char* host, uint16_t port) {
  return weft_tcp_connect_at(stream, host, port, nullptr, 0);
}

int weft_tcp_connect_for_at(weft_stream** stream, const char* host, uint16_t port, uint64_t time,
                            const char* file, unsigned line) {
  *stream = nullptr;
  return guarded([&] {
    auto limit = weft::timeout(milliseconds(time));
    *stream = new weft_stream{weft::TcpStream::connect(host, port, limit, {file, line})};
  });
}

int weft_tcp_connect_for(weft_stream** stream, const char* host, uint16_t port, uint64_t time) {
  return weft_tcp_connect_for_at(stream, host, port, time, nullptr, 0);
}

int weft_unix_connect_at(weft_stream** stream, const char* path, const char* file, unsigned line) {
  *stream = nullptr;
  return guarded([&] {
    *stream = new weft_stream{weft::UnixStream::connect(path, {}, {file, line})};
  });
}

int weft_unix_connect(weft_stream** stream, const char* path) {
  return weft_unix_connect_at(stream, path, nullptr, 0);
}

int weft_unix_connect_for_at(weft_stream** stream, const char* path, uint64_t time,
                             const char* file, unsigned line) {
  *stream = nullptr;
  return guarded([&] {
    auto limit = weft::timeout(milliseconds(time));
    *stream = new weft_stream{weft::UnixStream::connect(path, limit, {file, line})};
  });
}

int weft_unix_connect_for(weft_stream** stream, const char* path, uint64_t time) {
  return weft_unix_connect_for_at(stream, path, time, nullptr, 0);
}

int weft_stream_adopt(weft_stream** stream, int descriptor) {
  *stream = nullptr;
  return guarded([&] {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      throw std::system_error{errno, std::generic_category(), "adopt a descriptor as a stream"};
    }
    auto made = std::make_unique<weft_stream>();
    const bool local = address.ss_family == AF_UNIX;
    made->stream = local ? weft::Stream{weft::UnixStream::adopt(descriptor)}
                         : weft::Stream{weft::TcpStream::adopt(descriptor)};
    *stream = made.release();
  });
}

int weft_stream_read_at(weft_stream* stream, void* to, size_t size, size_t* got, const char* file,
                        unsigned line) {
  *got = 0;
  return guarded([&] { *got = stream->stream.read_some({to, size}, {}, {file, line}); });
}

int weft_stream_read(weft_stream* stream, void* to, size_t size, size_t* got) {
  return weft_stream_read_at(stream, to, size, got, nullptr, 0);
}

int weft_stream_read_for_at(weft_stream* stream, void* to, size_t size, size_t* got, uint64_t time,
                            const char* file, unsigned line) {
  *got = 0;
  return guarded([&] {
    *got = stream->stream.read_some({to, size}, weft::timeout(milliseconds(time)), {file, line});
  });
}

int weft_stream_read_for(weft_stream* stream, void* to, size_t size, size_t* got, uint64_t time) {
  return weft_stream_read_for_at(stream, to, size, got, time, nullptr, 0);
}

int weft_stream_write_at(weft_stream* stream, const void* from, size_t size, const char* file,
                         unsigned line) {
  return guarded([&] { stream->stream.write_all({from, size}, {}, {file, line}); });
}

int weft_stream_write(weft_stream* stream, const void* from, size_t size) {
  return weft_stream_write_at(stream, from, size, nullptr, 0);
}

int weft_stream_write_for_at(weft_stream* stream, const void* from, size_t size, uint64_t time,
                             const char* file, unsigned line) {
  return guarded([&] {
    stream->stream.write_all({from, size}, weft::timeout(milliseconds(time)), {file, line});
  });
}

int weft_stream_write_for(weft_stream* stream, const void* from, size_t size, uint64_t time) {
  return weft_stream_write_for_at(stream, from, size, time, nullptr, 0);
}

int weft_stream_end(weft_stream* stream) {
  return guarded([&] { weft::shutdown_write(stream->stream.io()); });
}

int weft_stream_descriptor(const weft_stream* stream) { return stream->stream.descriptor(); }

void weft_stream_close(weft_stream* stream) { stream->stream.close(); }

void weft_stream_release(weft_stream* stream) { delete stream; }

}  // extern "C"
