#pragma once

#include "weft/detail/abi.hpp"

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

/// A readable and writable descriptor: the base of TcpStream, UnixStream, Pipe, Tty and File. A
/// movable owner: it closes the descriptor, and operations that wait then throw "Stream was
/// closed".
///
/// Every operation may be given a token: it throws, when `token` fires first, TimedOut for a
/// timeout, otherwise OperationCancelled, and bytes that arrived until then can still be read. It
/// throws Cancelled when its coroutine is cancelled, and std::system_error naming the operation and
/// the stream. Several coroutines may use one stream: their operations are not interleaved. All
/// must be of one runtime: once one has waited, an operation on another thread throws MisuseError.
/// give_away() and adopt() hand over a stream, take_read_ahead() the bytes it has read ahead.
class Stream {
 public:
  /// No stream: every operation throws MisuseError.
  Stream() noexcept = default;
  explicit Stream(Ref<Io> io) noexcept : io_{std::move(io)} {}
  Stream(Stream&& other) noexcept = default;
  Stream& operator=(Stream&& other) noexcept;
  ~Stream() { close(); }

  /// Suspends until bytes have arrived; returns how many were read, 0 at the end.
  std::size_t read_some(Bytes to, Token token = {}, Place place = Place::here()) {
    return io().read_some(to, token, place);
  }
  /// Suspends until `to` is full. Throws if the stream ends before.
  void read_exactly(Bytes to, Token token = {}, Place place = Place::here()) {
    io().read_exactly(to, token, place);
  }
  /// Suspends until a whole line has arrived; returns it without its "\n" or "\r\n", nothing at the
  /// end. A last line without a line end counts. Throws if a line is longer than the limit.
  std::optional<std::string> read_line(Token token = {}, Place place = Place::here()) {
    return io().read_line(token, place);
  }
  /// Suspends until the end of the stream; returns all bytes.
  std::string read_all(Token token = {}, Place place = Place::here()) {
    return io().read_all(token, place);
  }
  /// Suspends until some bytes are written; returns how many.
  std::size_t write_some(ConstBytes from, Token token = {}, Place place = Place::here()) {
    return io().write_some(from, token, place);
  }
  /// Suspends until all is written. If it throws, some bytes may be written.
  void write_all(ConstBytes from, Token token = {}, Place place = Place::here()) {
    io().write_all(from, token, place);
  }
  /// Suspends until all parts, such as a head and a body in different memory, are written in order,
  /// without a copy. If it throws, some bytes may be written.
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
  /// Closes the descriptor and wakes all waiters of this stream. Never suspends. A second call does
  /// nothing.
  void close() noexcept {
    if (io_) io_->close();
  }
  /// Whether it is open: neither closed nor moved from.
  [[nodiscard]] bool is_open() const noexcept { return io_ && io_->descriptor() >= 0; }
  /// The number of the descriptor; -1 if the stream is not open.
  [[nodiscard]] int descriptor() const noexcept { return io_ ? io_->descriptor() : -1; }
  /// Returns the open descriptor, which the caller then owns; the stream is closed. -1 if the
  /// stream is not open.
  ///
  /// A read may fetch more than it returns, as read_line() does behind the line. A file is moved
  /// back to where its next read would begin. In other streams the bytes read ahead are no longer
  /// in the descriptor: give_away() throws MisuseError with their number, and changes nothing;
  /// take_read_ahead() takes them, and adopt() gives them to the new stream:
  ///
  ///     std::string ahead = stream.take_read_ahead();
  ///     auto other = weft::TcpStream::adopt(stream.give_away(), ahead);
  ///
  /// Also throws MisuseError while a worker thread reads or writes the file.
  [[nodiscard]] int give_away() { return io_ ? io_->give_away() : -1; }
  /// Takes the bytes that were read from the descriptor and not yet returned by a read; this stream
  /// continues after them.
  [[nodiscard]] std::string take_read_ahead() { return io().take_read_ahead(); }
  /// The handle underneath. Throws MisuseError if there is none.
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
