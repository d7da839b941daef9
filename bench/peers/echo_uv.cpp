// Peer: an echo server on bare libuv. The reader stays armed, writes are tried at once with
// uv_try_write and queued only when that would block; one buffer serves all reads.
// Prints "port <number>" and serves 127.0.0.1 until it is killed.
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <uv.h>

namespace {

std::array<char, 64 * 1024> shared_buffer;

void check(int status, const char* what) {
  if (status >= 0) return;
  std::fprintf(stderr, "%s: %s\n", what, uv_strerror(status));
  std::exit(1);
}

void close_connection(uv_stream_t* stream) {
  auto* handle = reinterpret_cast<uv_handle_t*>(stream);
  if (uv_is_closing(handle) != 0) return;
  uv_close(handle, [](uv_handle_t* closed) { delete reinterpret_cast<uv_tcp_t*>(closed); });
}

/// The bytes that could not be written at once.
struct Rest {
  uv_write_t request{};
  std::unique_ptr<char[]> bytes;
};

void queue_rest(uv_stream_t* stream, const char* bytes, std::size_t size) {
  auto rest = std::make_unique<Rest>();
  rest->bytes = std::make_unique<char[]>(size);
  std::memcpy(rest->bytes.get(), bytes, size);
  rest->request.data = rest.get();
  const uv_buf_t buffer = uv_buf_init(rest->bytes.get(), static_cast<unsigned>(size));
  check(uv_write(&rest.release()->request, stream, &buffer, 1,
                 [](uv_write_t* request, int status) {
                   if (status < 0) close_connection(request->handle);
                   delete static_cast<Rest*>(request->data);
                 }),
        "uv_write");
}

/// Closes the stream after the queued writes.
void finish(uv_stream_t* stream) {
  const int status = uv_shutdown(new uv_shutdown_t{}, stream, [](uv_shutdown_t* request, int) {
    close_connection(request->handle);
    delete request;
  });
  if (status < 0) close_connection(stream);
}

void on_read(uv_stream_t* stream, ssize_t got, const uv_buf_t* buffer) {
  if (got == UV_EOF) return finish(stream);
  if (got < 0) return close_connection(stream);
  if (got == 0) return;
  const auto size = static_cast<std::size_t>(got);
  const uv_buf_t all = uv_buf_init(buffer->base, static_cast<unsigned>(size));
  const int written = uv_try_write(stream, &all, 1);
  if (written < 0 && written != UV_EAGAIN) return close_connection(stream);
  const std::size_t done = written < 0 ? 0 : static_cast<std::size_t>(written);
  if (done < size) queue_rest(stream, buffer->base + done, size - done);
}

void on_connection(uv_stream_t* listener, int status) {
  if (status < 0) return;
  auto* connection = new uv_tcp_t{};
  check(uv_tcp_init(listener->loop, connection), "uv_tcp_init");
  auto* stream = reinterpret_cast<uv_stream_t*>(connection);
  check(uv_accept(listener, stream), "uv_accept");
  uv_tcp_nodelay(connection, 1);
  check(uv_read_start(
            stream,
            [](uv_handle_t*, std::size_t, uv_buf_t* buffer) {
              *buffer =
                  uv_buf_init(shared_buffer.data(), static_cast<unsigned>(shared_buffer.size()));
            },
            on_read),
        "uv_read_start");
}

}  // namespace

int main() {
  std::signal(SIGPIPE, SIG_IGN);
  uv_loop_t* loop = uv_default_loop();
  uv_tcp_t listener{};
  sockaddr_in address{};
  check(uv_tcp_init(loop, &listener), "uv_tcp_init");
  check(uv_ip4_addr("127.0.0.1", 0, &address), "uv_ip4_addr");
  check(uv_tcp_bind(&listener, reinterpret_cast<const sockaddr*>(&address), 0), "uv_tcp_bind");
  check(uv_listen(reinterpret_cast<uv_stream_t*>(&listener), 1024, on_connection), "uv_listen");
  int size = sizeof address;
  check(uv_tcp_getsockname(&listener, reinterpret_cast<sockaddr*>(&address), &size), "getsockname");
  std::printf("port %d\n", ntohs(address.sin_port));
  std::fflush(stdout);
  return uv_run(loop, UV_RUN_DEFAULT);
}
