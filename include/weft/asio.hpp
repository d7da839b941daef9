#pragma once

#include "weft/detail/abi.hpp"
#include "weft/detail/needs_boost.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/beast/core/role.hpp>
#include <boost/system/system_error.hpp>

#include "weft/bytes.hpp"
#include "weft/detail/held_bytes.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

// An adapter for Boost.Asio and Boost.Beast; weft.hpp does not include it.
namespace weft {

/// Makes a stream what Asio calls a SyncReadStream and a SyncWriteStream, so that the synchronous
/// algorithms of Asio and Beast (HTTP, WebSocket, TLS) run on coroutines unchanged: where they
/// would block the thread, the coroutine suspends.
///
///     weft::AsioStream stream{weft::TcpStream::connect("localhost", 80)};
///     boost::beast::http::read(stream, buffer, request);
///
/// `Stream` may be a reference to a stream that lives elsewhere. Errors of the system become error
/// codes; cancellations and timeouts stay exceptions, which no algorithm catches.
template <class Stream>
class AsioStream {
 public:
  /// The stream underneath, as Asio's layers name it.
  using next_layer_type = std::remove_reference_t<Stream>;
  /// AsioStream itself: the stream underneath is no layer of Asio.
  using lowest_layer_type = AsioStream;
  /// Asio requires an executor. Nothing ever runs on it: every operation suspends the caller.
  using executor_type = boost::asio::io_context::executor_type;

  AsioStream() { static_cast<void>(unused()); }
  /// Reports give `place` as the place of reads and writes, until another is set.
  explicit AsioStream(Stream&& stream, Place place = Place::here())
      : stream_(std::forward<Stream>(stream)), read_place_{place}, write_place_{place} {
    static_cast<void>(unused());  // made here, where an exception can be thrown
  }

  /// The stream underneath.
  [[nodiscard]] next_layer_type& next_layer() noexcept { return stream_; }
  [[nodiscard]] const next_layer_type& next_layer() const noexcept { return stream_; }
  /// This object: see lowest_layer_type.
  [[nodiscard]] lowest_layer_type& lowest_layer() noexcept { return *this; }
  [[nodiscard]] const lowest_layer_type& lowest_layer() const noexcept { return *this; }

  /// Sets the token of the reads that begin from now on. The token must outlive these reads, so a
  /// temporary is refused.
  void set_read_token(Token token) noexcept { read_token_ = token; }
  /// Sets the token of the writes that begin from now on.
  void set_write_token(Token token) noexcept { write_token_ = token; }
  template <std::derived_from<Event> E>
  void set_read_token(E&& temporary) = delete;
  template <std::derived_from<Event> E>
  void set_write_token(E&& temporary) = delete;
  /// Sets the place that reports give for reads that begin from now on.
  void set_read_place(Place place) noexcept { read_place_ = place; }
  /// Sets the place that reports give for writes that begin from now on.
  void set_write_place(Place place) noexcept { write_place_ = place; }

  /// The next reads return these bytes first: what another algorithm has read and not used, such as
  /// the first frames of a WebSocket, which may arrive with the upgrade request.
  template <class Buffers>
  void put_back(const Buffers& buffers) {
    std::string data(boost::asio::buffer_size(buffers), '\0');
    boost::asio::buffer_copy(boost::asio::mutable_buffer{data.data(), data.size()}, buffers);
    held_.put_back(data);
  }

  /// If `refuse`, a read fails with would_block even if there is data, so that an algorithm uses
  /// only the bytes it has read already. A read by another coroutine, while the algorithm waits in
  /// a write, is not refused.
  void refuse_reads(bool refuse) noexcept { refuses_reads_ = refuse; }

  /// The executor that Asio requires of a stream. Nothing ever runs on it.
  [[nodiscard]] executor_type get_executor() const noexcept { return unused().get_executor(); }

  /// Suspends until something was read into the first buffer that is not empty.
  template <class Buffers>
  std::size_t read_some(const Buffers& buffers, boost::system::error_code& error) {
    return attempt(error, [&]() -> std::size_t {
      const boost::asio::mutable_buffer buffer = first_of<boost::asio::mutable_buffer>(buffers);
      if (buffer.size() == 0) return 0;
      if (!held_.is_empty()) return held_.take(Bytes{buffer.data(), buffer.size()});
      if (refuses_reads_) {
        error = boost::asio::error::would_block;
        return 0;
      }
      const std::size_t size =
          stream_.read_some(Bytes{buffer.data(), buffer.size()}, read_token_, read_place_);
      if (size == 0) error = boost::asio::error::eof;
      return size;
    });
  }
  template <class Buffers>
  std::size_t read_some(const Buffers& buffers) {
    return or_throw([&](boost::system::error_code& error) { return read_some(buffers, error); });
  }

  /// Suspends until something was written. Small buffers, such as the fields of a header, are
  /// written together: each alone would cost a system call and perhaps a packet.
  template <class Buffers>
  std::size_t write_some(const Buffers& buffers, boost::system::error_code& error) {
    return attempt(error, [&]() -> std::size_t {
      std::array<std::byte, gathered> memory;
      const boost::asio::const_buffer buffer = first_or_gathered(buffers, memory);
      if (buffer.size() == 0) return 0;
      const struct LetOthersRead {
        bool& refuses;
        bool before = std::exchange(refuses, false);
        ~LetOthersRead() { refuses = before; }
      } let_others_read{refuses_reads_};
      return stream_.write_some(ConstBytes{buffer.data(), buffer.size()}, write_token_,
                                write_place_);
    });
  }
  template <class Buffers>
  std::size_t write_some(const Buffers& buffers) {
    return or_throw([&](boost::system::error_code& error) { return write_some(buffers, error); });
  }

  /// Suspends. Beast calls this at the end of a WebSocket: shuts down writing, and waits until the
  /// peer does the same or the token of reads fires.
  friend void teardown(boost::beast::role_type /*role*/, AsioStream& stream,
                       boost::system::error_code& error) {
    stream.attempt(error, [&]() -> std::size_t {
      stream.stream_.shutdown_write();
      std::byte rest[512];
      while (stream.stream_.read_some(rest, stream.read_token_, stream.read_place_) != 0) {
      }
      return 0;
    });
  }

 private:
  static boost::asio::io_context& unused() {
    static boost::asio::io_context context;
    return context;
  }

  template <class Buffer, class Buffers>
  static Buffer first_of(const Buffers& buffers) {
    const auto end = boost::asio::buffer_sequence_end(buffers);
    for (auto at = boost::asio::buffer_sequence_begin(buffers); at != end; ++at) {
      const Buffer buffer{*at};
      if (buffer.size() != 0) return buffer;
    }
    return Buffer{};
  }

  static constexpr std::size_t gathered = 2048;

  /// The first buffer that is not empty. If it is small, it and the buffers after it are copied
  /// into one, as many as fit.
  template <class Buffers>
  static boost::asio::const_buffer first_or_gathered(const Buffers& buffers,
                                                     std::array<std::byte, gathered>& memory) {
    const auto first = first_of<boost::asio::const_buffer>(buffers);
    if (first.size() >= gathered || first.size() == boost::asio::buffer_size(buffers)) return first;
    const boost::asio::mutable_buffer all{memory.data(), memory.size()};
    return {memory.data(), boost::asio::buffer_copy(all, buffers)};
  }

  template <class F>
  std::size_t attempt(boost::system::error_code& error, F body) {
    error.clear();
    try {
      return body();
    } catch (const std::system_error& failure) {
      error.assign(failure.code().value(), boost::system::system_category());
    }
    return 0;
  }

  template <class F>
  static std::size_t or_throw(F body) {
    boost::system::error_code error;
    const std::size_t size = body(error);
    if (error) throw boost::system::system_error{error};
    return size;
  }

  Stream stream_;
  Token read_token_;
  Token write_token_;
  Place read_place_;
  Place write_place_;
  detail::HeldBytes held_;
  bool refuses_reads_ = false;
};

template <class Stream>
AsioStream(Stream&&) -> AsioStream<Stream>;

}  // namespace weft
