#include "weft/listener.hpp"

#include <cerrno>
#include <filesystem>
#include <sys/socket.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/real_calls.hpp"
#include "io/io_error.hpp"
#include "io/sockets.hpp"
#include "names/hosts.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

Ref<Io> listening_socket(const Address& address, const ListenOptions& options) {
  Ref<Io> io = make_socket(address, SOCK_STREAM);
  if (address.family() != Address::Family::unix_path) {
    io->set_option(SOL_SOCKET, SO_REUSEADDR, 1);
    if (options.reuse_port) io->set_option(SOL_SOCKET, SO_REUSEPORT, 1);
  }
  bind_socket(*io, address);
  if (::listen(io->descriptor(), options.backlog) != 0) {
    throw_io_error(errno, "listen on " + address.to_string());
  }
  // Names the listener in messages; the system may have chosen the port.
  const bool has_port = address.family() != Address::Family::unix_path;
  io->set_peer(has_port ? io->local_address() : address);
  return io;
}

}  // namespace

Listener Listener::tcp(std::string_view host, std::uint16_t port, ListenOptions options,
                       Place place) {
  const std::vector<Address> addresses = addresses_of_host(host, port, {}, place);
  return Listener{listening_socket(addresses.front(), options)};
}

Listener Listener::unix_path(std::string_view path, ListenOptions options) {
  Listener listener{listening_socket(Address::unix_path(path), options)};
  struct stat made {};
  if (!path.empty() && path.front() != '\0' && ::lstat(std::string{path}.c_str(), &made) == 0) {
    // Absolute: the program may have another working directory when the listener closes.
    std::error_code unknown;
    const std::filesystem::path absolute = std::filesystem::absolute(path, unknown);
    listener.path_ = unknown ? std::string{path} : absolute.string();
    listener.device_ = made.st_dev;
    listener.inode_ = made.st_ino;
  }
  return listener;
}

Listener Listener::adopt(int descriptor) {
  const Io::Type type = Io::type_of(descriptor);
  if (type != Io::Type::tcp && type != Io::Type::pipe) {
    throw_io_error(ENOTSOCK, "listen on descriptor " + std::to_string(descriptor));
  }
  // Asked before it is taken over: what is refused stays as it was.
  int listens = 0;
  socklen_t size = sizeof listens;
  if (::getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0) {
    throw_io_error(errno, "listen on descriptor " + std::to_string(descriptor));
  }
  if (listens == 0) {
    throw_io_error(EINVAL, "descriptor " + std::to_string(descriptor) + " does not listen");
  }
  return Listener{Io::adopt(descriptor, type)};
}

Listener::Listener(Ref<Io> io) noexcept : io_{std::move(io)} {
  try {
    last_ = io_->local_address();
  } catch (...) {  // a peer of a family that Address does not have: the connection can be used
  }
}

Listener::Listener(Listener&& other) noexcept
    : io_{std::move(other.io_)},
      last_{other.last_},
      path_{std::exchange(other.path_, {})},
      device_{other.device_},
      inode_{other.inode_} {}

Listener& Listener::operator=(Listener&& other) noexcept {
  if (this == &other) return *this;
  close();
  io_ = std::move(other.io_);
  last_ = other.last_;
  path_ = std::exchange(other.path_, {});
  device_ = other.device_;
  inode_ = other.inode_;
  return *this;
}

Ref<Io> Listener::accept_io(Token token, Place place) {
  Address peer;
  const Io::Type type = io().type();
  const int descriptor = io().accept(peer, token, place);
  try {
    Ref<Io> accepted = make_ref<Io>(descriptor, type, Io::readable | Io::writable, true);
    accepted->set_peer(peer);
    return accepted;
  } catch (...) {
    real_calls.close(descriptor);
    throw;
  }
}

void Listener::close() noexcept {
  // Another program may have bound the path again meanwhile: its socket is not removed.
  struct stat present {};
  if (!path_.empty() && is_open() && ::lstat(path_.c_str(), &present) == 0 &&
      present.st_dev == device_ && present.st_ino == inode_) {
    ::unlink(path_.c_str());
  }
  path_.clear();
  if (io_) io_->close();
}

Io& Listener::io() const {
  if (!io_) throw MisuseError{"This listener was moved away"};
  return *io_;
}

}  // namespace weft
