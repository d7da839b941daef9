#include "weft/extend/io.hpp"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <system_error>
#include <unistd.h>

#include "base/current.hpp"
#include "base/real_calls.hpp"
#include "base/system_calls.hpp"
#include "io/adopt_or_close.hpp"
#include "io/io_attempt.hpp"
#include "io/io_error.hpp"
#include "io/io_wait.hpp"
#include "io/no_pipe_signal.hpp"
#include "io/stream_wait.hpp"
#include "reactor/descriptor.hpp"
#include "reactor/descriptor_name.hpp"
#include "reactor/reactor.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/error.hpp"
#include "weft/extend/io_request.hpp"

namespace weft {
namespace {

bool is_socket(int descriptor) noexcept {
  int type = 0;
  socklen_t size = sizeof type;
  return ::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
}

void make_non_blocking(int descriptor) {
  const int flags = real_calls.fcntl(descriptor, F_GETFL);
  if (flags < 0 || ((flags & O_NONBLOCK) == 0 &&
                    real_calls.fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) != 0)) {
    throw_io_error(errno, "cannot use descriptor " + std::to_string(descriptor));
  }
}

Address address_of(int descriptor, int (*ask)(int, sockaddr*, socklen_t*), const char* what) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  auto* const raw = reinterpret_cast<sockaddr*>(&storage);
  if (descriptor < 0 || ask(descriptor, raw, &size) != 0) {
    throw_io_error(descriptor < 0 ? EBADF : errno, what);
  }
  return Address::from_native(raw, size);
}

}  // namespace

Io::Io(int descriptor, Type type, unsigned state, bool owned) noexcept
    : descriptor_{descriptor},
      native_{descriptor},
      type_{type},
      owned_{owned},
      socket_{type == Type::tcp || type == Type::udp ||
              (type == Type::pipe && is_socket(descriptor))},
      state_{state} {}

Io::~Io() { close(); }

Io::Type Io::type_of(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) {
    throw_io_error(errno, "cannot use descriptor " + std::to_string(descriptor));
  }
  // eventfd, timerfd and the like have no file type; epoll watches them like a pipe.
  if (S_ISFIFO(status.st_mode) || (status.st_mode & S_IFMT) == 0) return Type::pipe;
  if (S_ISSOCK(status.st_mode)) {
    int type = 0;
    socklen_t size = sizeof type;
    ::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size);
    if (type == SOCK_DGRAM) return Type::udp;
    return is_tcp(descriptor) ? Type::tcp : Type::pipe;
  }
  return ::isatty(descriptor) != 0 ? Type::tty : Type::file;
}

Ref<Io> Io::adopt(int descriptor, Type type, unsigned state, bool owned) {
  if (descriptor < 0) throw_io_error(EBADF, "cannot use descriptor " + std::to_string(descriptor));
  Ref<Io> io = make_ref<Io>(descriptor, type, state, false);
  if (type != Type::file) make_non_blocking(descriptor);
  if (owned) real_calls.fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  io->owned_ = owned;
  return io;
}

Ref<Io> Io::adopt(int descriptor, bool owned) {
  const Type type = type_of(descriptor);
  const int flags = real_calls.fcntl(descriptor, F_GETFL);
  const int way = flags & O_ACCMODE;
  unsigned state = way == O_RDONLY ? readable : way == O_WRONLY ? writable : readable | writable;
  if (type == Type::file && (flags & O_APPEND) != 0) state |= append;
  return adopt(descriptor, type, state, owned);
}

/// dup() shares the flags, O_NONBLOCK too, with the original, which must stay blocking for other
/// processes that use it. Opening /dev/fd/N, where that is possible, gives new flags.
Ref<Io> Io::standard(int number) {
  const Type type = type_of(number);
  int copy = -1;
  if (type == Type::pipe || type == Type::tty) {
    const int way = real_calls.fcntl(number, F_GETFL) & O_ACCMODE;
    const std::string path = "/dev/fd/" + std::to_string(number);
    copy = ::open(path.c_str(), way | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  }
  if (copy < 0) copy = real_calls.fcntl(number, F_DUPFD_CLOEXEC, 3);
  if (copy < 0) throw_io_error(errno, "cannot copy descriptor " + std::to_string(number));
  Ref<Io> io = adopt_or_close(copy);
  static constexpr const char* names[] = {"standard input", "standard output", "standard error"};
  if (number < 3) io->set_name(names[number]);
  return io;
}

const char* Io::kind_name() const noexcept {
  switch (type_) {
    case Type::pipe:
      return socket_ ? "unix socket" : "pipe";
    case Type::file:
      return "file";
    case Type::tcp:
      return "TCP";
    case Type::udp:
      return "UDP";
    case Type::tty:
      break;
  }
  return "terminal";
}

std::string Io::name() const {
  if (name_ != nullptr) return *name_;
  if (peer_.family() != Address::Family::none && peer_.native_size() > sizeof(sa_family_t)) {
    return std::string{kind_name()} + " " + peer_.to_string();
  }
  // The number of a closed descriptor may belong to another file now.
  return (state_ & closed) != 0 ? kind_name() : name_of_descriptor(native_);
}

std::string Io::info() const {
  static constexpr const char* types[] = {"pipe", "file", "tcp", "udp", "tty"};
  const bool is_socket = type_ == Type::tcp || type_ == Type::udp;
  return std::string{"IO(type="} + types[static_cast<std::size_t>(type_)] +
         (is_socket ? ", socket=" : ", fd=") + std::to_string(descriptor_) + ")";
}

bool Io::start() {
  if (!is_closed()) add_loop_reference();
  return true;
}

bool Io::stop() noexcept {
  if (loop_references() > 0) drop_loop_reference();
  return true;
}

void Io::fail(int error, const char* what) const {
  throw_io_error(error, std::string{what} + " " + name());
}

/// A handle belongs to the loop of one thread, which may report its readiness at any moment.
void Io::check_thread() const {
  const Reactor* const user = watched_->reactor();
  if (user == nullptr || user == current_thread.reactor) return;
  throw MisuseError{"This stream is used by another thread; hand it over with give_away()"};
}

void Io::check(unsigned way, const char* what) const {
  if (watched_) check_thread();
  if ((state_ & closed) != 0) {
    throw_io_error(EBADF, std::string{"Cannot "} + what + " closed IO handle");
  }
  if ((state_ & way) != way) {
    throw_io_error(EBADF, std::string{"Cannot "} + what + " " + name() + ": not open for that");
  }
}

void Io::end_wait_if_closed() const {
  if ((state_ & closed) != 0) std::rethrow_exception(stream_was_closed());
}

void Io::yield_to_others(Token token, Place place) {
  since_yield_ = 0;
  if (current_thread.scheduler == nullptr) return;
  yield_io(token, place);
  end_wait_if_closed();
}

Ref<Descriptor> Io::watched() {
  Reactor* const reactor = current_thread.reactor;
  if (reactor == nullptr) {
    throw MisuseError{"Streams can only wait inside weft::run()"};
  }
  if (!watched_ || watched_->reactor() != reactor) {
    watched_ = Descriptor::of(*reactor, native_);
    watched_->add_stream();
  }
  return watched_;
}

void Io::wait(unsigned way, Token token, Place place) {
  const char* const operation =
      way == Poll::writable ? "Writing to a stream" : "Reading from a stream";
  expect_to_wait(operation);
  since_yield_ = 0;
  StreamWait wait{watched(), way, *this};
  wait.wait(operation, token, place);
  end_wait_if_closed();
}

/// Called after a system call failed, with errno. True: it was interrupted, and the caller calls it
/// again. False: it would have blocked, which is stored in the descriptor. Throws all other errors.
bool Io::is_interrupted(unsigned way, const char* what) const {
  if (was_interrupted([&] { return std::string{what} + " " + name(); })) return true;
  if (watched_) watched_->found_unready(way);
  return false;
}

/// Suspends until the descriptor is writable.
void Io::wait_for_room(Token token, Place place) {
  if (watched_) watched_->found_unready(Poll::writable);
  wait(Poll::writable, token, place);
}

std::int64_t Io::read_now(void* to, std::size_t size) const noexcept {
  if (type_ != Type::tcp && type_ != Type::udp) return real_calls.read(native_, to, size);
  return real_calls.recv(native_, to, size, 0);  // faster than read(), which calls it
}

std::int64_t Io::write_now(const void* from, std::size_t size) const noexcept {
  if (!socket_) return without_pipe_signal([&] { return real_calls.write(native_, from, size); });
  return real_calls.send(native_, from, size, MSG_NOSIGNAL);
}

std::int64_t Io::write_now(iovec* parts, std::size_t count) const noexcept {
  if (!socket_) {
    return without_pipe_signal(
        [&] { return real_calls.writev(native_, parts, static_cast<int>(count)); });
  }
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = count;
  return real_calls.sendmsg(native_, &message, MSG_NOSIGNAL);
}

void Io::wait_readable(Token token, Place place) {
  attempt("read from", "Stream::wait_readable()", [&] {
    check(readable, "read from");
    if (buffered() > 0 || is_at_end() || type_ == Type::file) return;
    if (watched_ && watched_->is_ready(Poll::readable)) {
      // A stored report may be out of date: a caller that reads the descriptor itself would never
      // suspend here.
      pollfd query{native_, POLLIN, 0};
      if (real_calls.poll(&query, 1, 0) > 0) return yield_after_fair_share(token, place);
      watched_->found_unready(Poll::readable);
    }
    wait(Poll::readable, token, place);
  });
}

void Io::wait_writable(Token token, Place place) {
  attempt("write to", "Io::wait_writable()", [&] {
    check(writable, "write to");
    if (type_ != Type::file) wait(Poll::writable, token, place);
  });
}

Poll Io::poll(unsigned wanted) const {
  check(0, "poll");
  return Poll{descriptor_, wanted};
}

void Io::set_option(int level, int option, int value) {
  check(0, "set an option of");
  if (::setsockopt(native_, level, option, &value, sizeof value) != 0) {
    fail(errno, "set an option of");
  }
}

int Io::option(int level, int option) const {
  check(0, "ask for an option of");
  int value = 0;
  socklen_t size = sizeof value;
  if (::getsockopt(native_, level, option, &value, &size) != 0) {
    fail(errno, "ask for an option of");
  }
  return value;
}

Address Io::local_address() const {
  return address_of(descriptor_, ::getsockname, "cannot tell the local address");
}

Address Io::remote_address() const {
  if (descriptor_ >= 0 && peer_.family() != Address::Family::none) return peer_;
  return address_of(descriptor_, ::getpeername, "cannot tell the remote address");
}

}  // namespace weft
