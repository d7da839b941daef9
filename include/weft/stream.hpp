#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

#include "weft/bytes.hpp"
#include "weft/extend/io.hpp"
#include "weft/place.hpp"
#include "weft/ref.hpp"
#include "weft/token.hpp"

namespace weft {

/// What can be read and written: the base of TcpStream, UnixStream, Pipe, Tty and File. A movable
/// owner: the descriptor is closed with it, and whoever waits then throws "Stream was closed".
///
/// Every operation may be given a token, usually a timeout(): then it throws TimedOut, and what was
/// read until then stays to be read. It throws Cancelled when its coroutine is cancelled, and
/// std::system_error naming the operation and the object. Several coroutines may use one stream:
/// who reads or writes does so without others coming in between. They must be of one runtime: once
/// one has waited, an operation on another thread throws MisuseError. give_away() and adopt() hand
/// a stream over, take_read_ahead() what was read of it too early.
class Stream {
 public:
  /// No stream: every operation throws MisuseError.
  Stream() noexcept = default;
  explicit Stream(Ref<Io> io) noexcept : io_{std::move(io)} {}
  Stream(Stream&& other) noexcept = default;
  Stream& operator=(Stream&& other) noexcept;
  ~Stream() { close(); }

  /// Suspends until something has come; returns how many bytes were read, 0 at the end.
  std::size_t read_some(Bytes to, Token token = {}, Place place = Place::here()) {
    return io().read_some(to, token, place);
  }
  /// Suspends until `to` is full. Throws if the end comes before.
  void read_exactly(Bytes to, Token token = {}, Place place = Place::here()) {
    io().read_exactly(to, token, place);
  }
  /// Suspends until a whole line has come, and returns it without its "\n" or "\r\n"; nothing at
  /// the end. A last line without end counts. Lines longer than the limit are an error.
  std::optional<std::string> read_line(Token token = {}, Place place = Place::here()) {
    return io().read_line(token, place);
  }
  /// Suspends until the end, and returns all that came.
  std::string read_all(Token token = {}, Place place = Place::here()) {
    return io().read_all(token, place);
  }
  /// Suspends until something could be written; returns how many bytes.
  std::size_t write_some(ConstBytes from, Token token = {}, Place place = Place::here()) {
    return io().write_some(from, token, place);
  }
  /// Suspends until all is written. If it throws, some of it may be.
  void write_all(ConstBytes from, Token token = {}, Place place = Place::here()) {
    io().write_all(from, token, place);
  }
  /// Suspends until all parts are written, one behind the other: a head and a body that lie in
  /// different memory, without copying them together. If it throws, some of it may be written.
  ///
  ///     stream.write_gathered({head, body});
  void write_gathered(std::initializer_list<ConstBytes> parts, Token token = {},
                      Place place = Place::here()) {
    io().write_gathered(std::span{parts.begin(), parts.size()}, token, place);
  }
  void write_gathered(std::span<const ConstBytes> parts, Token token = {},
                      Place place = Place::here()) {
    io().write_gathered(parts, token, place);
  }
  /// Suspends until read_some() would not have to wait.
  void wait_readable(Token token = {}, Place place = Place::here()) {
    io().wait_readable(token, place);
  }

  /// The longest line that read_line() accepts; 1 MiB unless set.
  void set_line_limit(std::size_t bytes) { io().set_line_limit(bytes); }
  /// Never suspends. Wakes who waits for this stream. A second time it does nothing.
  void close() noexcept {
    if (io_) io_->close();
  }
  [[nodiscard]] bool is_open() const noexcept { return io_ && io_->descriptor() >= 0; }
  /// -1 if it is not open.
  [[nodiscard]] int descriptor() const noexcept { return io_ ? io_->descriptor() : -1; }
  /// Gives the descriptor away, open; the stream is closed then. -1 if it is not open.
  ///
  /// A read may fetch more than it returns: read_line() what came behind the line. A file goes back
  /// to where its next read would begin. Of all else such bytes are not in the descriptor any more,
  /// and this throws MisuseError with their number, and changes nothing; take_read_ahead() takes
  /// them, and adopt() gives them to the new stream:
  ///
  ///     std::string ahead = stream.take_read_ahead();
  ///     auto other = weft::TcpStream::adopt(stream.give_away(), ahead);
  ///
  /// Throws MisuseError as well while a worker thread reads or writes the file.
  [[nodiscard]] int give_away() { return io_ ? io_->give_away() : -1; }
  /// What was read from the descriptor and not yet returned by a read. It is the caller's now: this
  /// stream goes on behind it.
  [[nodiscard]] std::string take_read_ahead() { return io().take_read_ahead(); }
  /// What is underneath. Throws MisuseError if there is none.
  [[nodiscard]] Io& io() const {
    if (!io_) [[unlikely]]
      refuse();
    return *io_;
  }

 private:
  [[noreturn]] static void refuse();
  Ref<Io> io_;
};

}  // namespace weft
