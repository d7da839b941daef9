#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/address.hpp"
#include "weft/bytes.hpp"
#include "weft/detail/buffered_reader.hpp"
#include "weft/detail/intrusive_list.hpp"
#include "weft/detail/stream_lock.hpp"
#include "weft/extend/event.hpp"
#include "weft/extend/poll_event.hpp"
#include "weft/function.hpp"
#include "weft/place.hpp"
#include "weft/ref.hpp"
#include "weft/token.hpp"

struct iovec;

namespace weft {

class Descriptor;
class IoRequest;

namespace detail {
class UnwrittenParts;
}

/// One open pipe, file, TCP or UDP socket, or terminal; the same operations work on all. Each
/// stream has one. Programs usually use streams; Io is for extensions of weft.
///
/// A write that has no reader fails with an error, without SIGPIPE, on every kind. weft never
/// changes the disposition of that signal.
///
/// There are two kinds of operations. Those that suspend read into and write from the memory of
/// their caller and allocate nothing. The others return a request, an event that completes once and
/// owns its memory, so that it may be dropped in flight. Both may be used at any time: each
/// operation locks its direction, so that operations are not interleaved.
class Io final : public Event {
 public:
  /// What a descriptor is: `tcp`, `udp`, `tty`, or one of the others.
  enum class Type : std::uint8_t {
    pipe,  ///< also stream sockets other than TCP, and what has no type of its own: eventfd,
           ///< timerfd
    file,  ///< served by worker threads, because files are always reported as ready, but may block
    tcp,
    udp,
    tty,
  };
  /// What a handle is open for (`readable`, `writable`), and what has happened to it: `closed`,
  /// `end_of_file`.
  enum State : unsigned {
    readable = 1,
    writable = 2,
    closed = 4,
    end_of_file = 8,
    append = 16,  ///< every write goes to the end of the file
  };

  /// Takes over `descriptor`, which becomes non-blocking and is not passed on to children. With
  /// `owned` it is closed with the handle. `state` says whether it is read, written, or both.
  [[nodiscard]] static Ref<Io> adopt(int descriptor, Type type,
                                     unsigned state = readable | writable, bool owned = true);
  /// Like the adopt() above; asks the system for the type and the ways.
  [[nodiscard]] static Ref<Io> adopt(int descriptor, bool owned = true);
  /// A copy of standard input (0), output (1) or error (2): closing it leaves the original usable.
  [[nodiscard]] static Ref<Io> standard(int number);
  /// What `descriptor` is. Throws std::system_error if it is not open.
  [[nodiscard]] static Type type_of(int descriptor);

  /// Use adopt(), which also checks `descriptor` and makes it non-blocking.
  Io(int descriptor, Type type, unsigned state, bool owned) noexcept;
  ~Io() override;

  /// What the descriptor is.
  [[nodiscard]] Type type() const noexcept { return type_; }
  /// The number of the descriptor; -1 once the handle is closed.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  /// A union of State.
  [[nodiscard]] unsigned state() const noexcept { return state_; }
  /// Whether a read has found the end.
  [[nodiscard]] bool is_at_end() const noexcept { return (state_ & end_of_file) != 0; }
  /// Bytes that were read from the descriptor and not returned yet.
  [[nodiscard]] std::size_t buffered() const noexcept { return reader_.held().size(); }
  /// "TCP 127.0.0.1:80", "unix socket /run/app.sock", "file notes.txt": for messages. Without a
  /// path and an address it is the kind alone: "pipe".
  [[nodiscard]] std::string name() const;
  /// name() returns this from now on.
  void set_name(std::string name) { name_ = std::make_unique<std::string>(std::move(name)); }
  [[nodiscard]] std::string info() const override;
  /// info() and the name of the handle.
  [[nodiscard]] std::string describe() const override { return info() + " of " + name(); }
  /// Starting and stopping only count: operations need no start().
  bool start() override;
  bool stop() noexcept override;

  // Operations that suspend. All throw std::system_error naming the operation and the handle,
  // Cancelled, and, when `token` fires first, TimedOut for a timeout, otherwise OperationCancelled;
  // "Stream was closed" if other code closes the handle meanwhile.

  /// Suspends until bytes have arrived; returns how many were read, 0 at the end.
  std::size_t read_some(Bytes to, Token token = {}, Place place = Place::here());
  /// Suspends until `to` is full. If it throws, as at an early end, the next read returns what had
  /// arrived.
  void read_exactly(Bytes to, Token token = {}, Place place = Place::here());
  /// Suspends until a whole line has arrived; returns it without its line end, nothing at the end
  /// of the stream. Throws if a line is longer than line_limit(). If it throws, the next read
  /// returns what had arrived.
  std::optional<std::string> read_line(Token token = {}, Place place = Place::here());
  /// Suspends until the end; returns all bytes. If it throws, the next read returns what had
  /// arrived.
  std::string read_all(Token token = {}, Place place = Place::here());
  /// Suspends until some bytes are written; returns how many.
  std::size_t write_some(ConstBytes from, Token token = {}, Place place = Place::here());
  /// Suspends until all is written. No other write comes in between.
  void write_all(ConstBytes from, Token token = {}, Place place = Place::here());
  /// Suspends until all parts are written in order, many with one system call if there is room for
  /// them. No other write comes in between.
  void write_gathered(std::span<const ConstBytes> parts, Token token = {},
                      Place place = Place::here());
  /// Suspends until one datagram has arrived. Bytes that do not fit in `to` are lost.
  std::size_t receive_from(Bytes to, Address& from, Token token = {}, Place place = Place::here());
  /// Suspends until the system has taken the datagram.
  void send_to(ConstBytes data, const Address& to, Token token = {}, Place place = Place::here());
  /// Suspends until a peer has connected; returns the descriptor of the connection. For listening
  /// sockets.
  int accept(Address& peer, Token token = {}, Place place = Place::here());
  /// Suspends until a connection in progress is made. Throws why it failed.
  void finish_connect(const Address& to, Token token, Place place);
  /// Suspends until a read would not wait: bytes are buffered, bytes have arrived, or the end is
  /// reached.
  void wait_readable(Token token = {}, Place place = Place::here());
  /// Suspends until a write would not wait.
  void wait_writable(Token token = {}, Place place = Place::here());

  /// The longest line that read_line() accepts, in bytes.
  [[nodiscard]] std::size_t line_limit() const noexcept { return reader_.line_limit(); }
  /// Sets the longest line that read_line() accepts.
  void set_line_limit(std::size_t bytes) noexcept { reader_.set_line_limit(bytes); }

  // Operations that return a request. Await it, or check whether it is completed already. All throw
  // std::system_error at once if the handle is closed, or not open for the operation.

  /// Reads at most `most` bytes: one chunk. The request is completed already at the end, or if
  /// bytes are buffered.
  [[nodiscard]] Ref<IoRequest> read(std::size_t most);
  /// Reads chunk after chunk: the request notifies for each, until the end, an error or close().
  /// Throws ValueError if `most` is 0.
  [[nodiscard]] Ref<IoRequest> read_multishot(std::size_t most);
  /// Writes all of `data`, up to max_write bytes.
  [[nodiscard]] Ref<IoRequest> write(std::string data);
  /// Writes all parts in order, with one system call if the system can.
  [[nodiscard]] Ref<IoRequest> write(std::vector<std::string> parts);
  /// Writes `data` as soon as possible; errors are not reported. `done` is called exactly once,
  /// when the memory is no longer needed, even if write_and_forget() throws: ValueError for more
  /// than max_write bytes. A wait for `done` is no deadlock, but the write keeps no runtime alive:
  /// when all coroutines have ended, `done` is called although not all is written.
  void write_and_forget(ConstBytes data, Function<void()> done);
  /// Flushes what was written to a file to the disk.
  [[nodiscard]] Ref<IoRequest> flush();
  /// Asks for the status of a file.
  [[nodiscard]] Ref<IoRequest> stat();
  /// Moves `length` bytes of this file, from `offset` on, to a socket, without copying them.
  [[nodiscard]] Ref<IoRequest> send_file(Io& to, std::int64_t offset, std::size_t length);
  /// Opens a file; the request gives the handle. `flags` and `mode` as for open(2). Does not wait
  /// for the other end of a named pipe: opening one to write that has no reader fails with ENXIO.
  [[nodiscard]] static Ref<IoRequest> open(std::string_view path, int flags, unsigned mode = 0666);

  /// Suspends until earlier operations on this file are done, then moves its position; returns it.
  std::int64_t seek(std::int64_t offset, int whence, Token token = {}, Place place = Place::here());
  /// The position of a file that the next read or write uses.
  [[nodiscard]] std::int64_t position() const;
  /// A new event for the readiness of the descriptor. The event does not know of buffered() bytes.
  [[nodiscard]] Poll poll(unsigned wanted) const;
  /// setsockopt() of an int. Throws std::system_error.
  void set_option(int level, int option, int value);
  /// getsockopt() of an int. Throws std::system_error.
  [[nodiscard]] int option(int level, int option) const;
  /// The address of this side. Throws std::system_error.
  [[nodiscard]] Address local_address() const;
  /// The address of the peer. Throws std::system_error.
  [[nodiscard]] Address remote_address() const;
  /// Sets the peer that messages name: the system does not know the peer of a socket that was
  /// reset.
  void set_peer(const Address& peer) noexcept { peer_ = peer; }

  /// Wakes all waiters with "Stream was closed", and closes the descriptor as soon as no
  /// worker thread needs it.
  void close() noexcept;
  /// Returns the descriptor, still open; otherwise like close(). A file is then at position().
  /// Throws MisuseError, and changes nothing, if bytes of a stream were read ahead
  /// (take_read_ahead() takes them) or a worker thread reads or writes the file.
  [[nodiscard]] int give_away();
  /// Removes and returns the buffered() bytes, which the next reads would have returned.
  [[nodiscard]] std::string take_read_ahead() { return reader_.held().take_all(); }
  /// The next reads return `data`, which was read from the descriptor before, first.
  void put_back(std::string_view data) { reader_.held().put_back(data); }

  /// The most bytes of one write; a longer one is a short write.
  static constexpr std::size_t max_write = 0x7ffff000;

 private:
  friend class IoRequest;
  class Reading;

  [[nodiscard]] Ref<Descriptor> watched();
  void wait(unsigned way, Token token, Place place);
  void wait_for_room(Token token, Place place);
  void check(unsigned way, const char* what) const;
  void check_thread() const;
  void end_wait_if_closed() const;
  /// Yields after `fair_share` operations in a row that did not wait.
  void yield_after_fair_share(Token token, Place place) {
    if (++since_yield_ >= fair_share) yield_to_others(token, place);
  }
  void yield_to_others(Token token, Place place);
  void await_data(Token token, Place place);
  // Each makes one try of an operation. A coroutine or a request tries again when the descriptor is
  // ready. Less than 0: not ready.
  std::int64_t try_read(Bytes to);
  std::int64_t try_write(ConstBytes from);
  std::int64_t try_write(detail::UnwrittenParts& parts);
  bool is_interrupted(unsigned way, const char* what) const;
  template <class Try>
  auto when_readable(Token token, Place place, Try attempt);
  template <class Try>
  std::size_t when_writable(Token token, Place place, Try attempt);
  void hold(std::string_view data) noexcept;
  void unread() noexcept;
  template <class Call>
  auto call_when_readable(const char* what, const char* function, Token token, Place place,
                          Call call);
  std::size_t write_file(ConstBytes from, Token token, Place place);
  void write_file(std::span<const ConstBytes> parts, Token token, Place place);
  /// Makes the one system call that reads this type of descriptor; sets errno.
  std::int64_t read_now(void* to, std::size_t size) const noexcept;
  std::int64_t write_now(const void* from, std::size_t size) const noexcept;
  std::int64_t write_now(::iovec* parts, std::size_t count) const noexcept;
  [[noreturn]] void fail(int error, const char* what) const;
  [[nodiscard]] const char* kind_name() const noexcept;
  /// Runs an operation that suspends: keeps this handle alive, and names the operation in a
  /// TimedOut, and `call`, the function of users, where suspending is not allowed.
  template <class F>
  decltype(auto) attempt(const char* what, const char* call, F operation);
  /// The lock of reads. A file has one lock, because reads and writes share its position.
  [[nodiscard]] detail::StreamLock& reading() noexcept {
    return type_ == Type::file ? writing_ : reading_;
  }
  void worker_begins() noexcept { ++workers_; }
  void worker_ends() noexcept;
  void close_descriptor() noexcept;

  static constexpr unsigned fair_share = 64;
  static constexpr std::size_t file_chunk =
      std::size_t{64} * 1024;  // large enough to pay for the hand-over to a worker

  int descriptor_;
  int native_;  // like descriptor_, but kept until the system call that closes it
  Type type_;
  bool owned_;
  bool socket_;
  bool given_away_ = false;
  unsigned state_;
  unsigned since_yield_ = 0;
  unsigned workers_ = 0;
  Ref<Descriptor> watched_;
  detail::StreamLock reading_;
  detail::StreamLock writing_;  // of a file: both directions
  detail::SlimList<IoRequest> requests_;
  detail::BufferedReader reader_;
  Address peer_;
  std::unique_ptr<std::string> name_;  // null unless set_name() was called
};

}  // namespace weft
