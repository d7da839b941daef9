#pragma once

#include "weft/detail/abi.hpp"

#include <cstdint>
#include <string>
#include <string_view>

#include "weft/address.hpp"
#include "weft/extend/io.hpp"
#include "weft/extend/listen_event.hpp"
#include "weft/tcp.hpp"
#include "weft/unix_stream.hpp"

namespace weft {

/// How a listener is opened.
struct ListenOptions {
  int backlog = 511;        ///< how many connections may wait to be accepted
  bool reuse_port = false;  ///< several listeners share the port and its connections
};

/// A listening socket. A movable owner.
class Listener {
 public:
  /// Suspends while the name of `host` is looked up. Port 0: the system chooses one; see port().
  [[nodiscard]] static Listener tcp(std::string_view host, std::uint16_t port,
                                    ListenOptions options = {}, Place place = Place::here());
  /// Listens on `path`, which must not exist. It is removed when the listener closes, even if the
  /// working directory has changed, unless it belongs to another listener by then.
  [[nodiscard]] static Listener unix_path(std::string_view path, ListenOptions options = {});
  /// Takes over a socket that listens already, such as one from a service manager. Throws
  /// std::system_error for any other descriptor, which it leaves as it is.
  [[nodiscard]] static Listener adopt(int descriptor);

  Listener(Listener&&) noexcept;
  Listener& operator=(Listener&& other) noexcept;
  ~Listener() { close(); }

  /// Suspends until a peer has connected. Throws std::system_error, for example when no descriptor
  /// is left (EMFILE) or a rule of the system refuses the connection (EPERM): the next accept()
  /// tries again. Connections that end before they are accepted are skipped.
  [[nodiscard]] TcpStream accept(Token token = {}, Place place = Place::here()) {
    return TcpStream{accept_io(token, place)};
  }
  /// Suspends like accept(), for a unix socket.
  [[nodiscard]] UnixStream accept_unix(Token token = {}, Place place = Place::here()) {
    return UnixStream{accept_io(token, place)};
  }
  /// Suspends like accept(), for both kinds of sockets; returns the handle of the connection.
  [[nodiscard]] Ref<Io> accept_io(Token token = {}, Place place = Place::here());

  /// A new event for "a peer has connected", to wait for several listeners at once. Do not await it
  /// while a coroutine is in accept().
  [[nodiscard]] ListenEvent event() const { return ListenEvent{io().descriptor()}; }

  /// The address that the listener is bound to, or was before it was closed.
  [[nodiscard]] Address local_address() const { return is_open() ? io().local_address() : last_; }
  /// The port that the listener is bound to; 0 for a unix socket.
  [[nodiscard]] std::uint16_t port() const { return local_address().port(); }
  /// Whether it listens: it was neither closed nor moved from.
  [[nodiscard]] bool is_open() const noexcept { return io_ && io_->descriptor() >= 0; }
  /// Stops listening; waiting accept() calls throw "Stream was closed".
  void close() noexcept;
  /// The handle underneath. Throws MisuseError if the listener was moved away.
  [[nodiscard]] Io& io() const;

 private:
  explicit Listener(Ref<Io> io) noexcept;
  Ref<Io> io_;
  Address last_;
  std::string path_;  // to be removed, if device_ and inode_ still match
  std::uint64_t device_ = 0;
  std::uint64_t inode_ = 0;
};

}  // namespace weft
