#include "weft/asio.hpp"

#include <array>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/completion_condition.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <gtest/gtest.h>

#include "allocations.hpp"
#include "weft/testing.hpp"
#include "weft/weft.hpp"

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using namespace std::chrono_literals;
using ErrorCode = boost::system::error_code;

static_assert(beast::is_sync_stream<weft::AsioStream<weft::TcpStream>>::value);
static_assert(beast::is_sync_stream<weft::AsioStream<weft::TcpStream&>>::value);
static_assert(beast::is_sync_stream<weft::AsioStream<weft::UnixStream>>::value);
static_assert(beast::is_sync_read_stream<weft::AsioStream<weft::Pipe>>::value);

namespace {

/// The two ends of a TCP connection.
struct Ends {
  weft::AsioStream<weft::TcpStream> near;
  weft::TcpStream far;
};

Ends connected() {
  weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
  weft::TcpStream near = weft::TcpStream::connect("127.0.0.1", listener.port());
  return {weft::AsioStream{std::move(near)}, listener.accept()};
}

/// A stream type that no other test uses, so that its adapter is instantiated here first.
struct Unheard {
  std::size_t read_some(weft::Bytes /*to*/, weft::Token /*token*/, weft::Place /*place*/) {
    return 0;
  }
};

// trap 84: a function that Asio requires to be noexcept must not be the first to allocate.
TEST(AsioStreamTest, IsRefusedWithoutMemoryAndThenAsksForNone) {
  if (!weft_test::Allocations::are_counted()) GTEST_SKIP() << "allocations are not counted here";
  weft_test::Allocations::fail_at(1);
  EXPECT_THROW(weft::AsioStream<Unheard>{Unheard{}}, std::bad_alloc);
  weft_test::Allocations::fail_never();
  const weft::AsioStream<Unheard> stream{Unheard{}};
  weft_test::Allocations::fail_at(1);
  static_cast<void>(stream.get_executor());
  EXPECT_FALSE(weft_test::Allocations::failed());
  weft_test::Allocations::fail_never();
}

/// Records each write.
struct Recorder {
  std::size_t read_some(weft::Bytes /*to*/, weft::Token /*token*/, weft::Place /*place*/) {
    return 0;
  }
  std::size_t write_some(weft::ConstBytes from, weft::Token /*token*/, weft::Place /*place*/) {
    const std::size_t size = std::min(from.size(), most);
    written.emplace_back(reinterpret_cast<const char*>(from.data()), size);
    return size;
  }
  std::size_t most = 1 << 20U;
  std::vector<std::string> written;
};

std::string all_of(const Recorder& recorder) {
  std::string all;
  for (const std::string& piece : recorder.written) all += piece;
  return all;
}

}  // namespace

TEST(AsioStreamTest, ReadsIntoTheFirstBufferThatIsNotEmpty) {
  weft::testing::run([] {
    auto [near, far] = connected();
    far.write_all("abcdefgh");
    std::string first(3, '.');
    std::string second(5, '.');
    const std::array<asio::mutable_buffer, 3> buffers{asio::mutable_buffer{}, asio::buffer(first),
                                                      asio::buffer(second)};
    ErrorCode error = asio::error::eof;  // set by an earlier operation
    EXPECT_EQ(near.read_some(buffers, error), 3U);
    EXPECT_FALSE(error);
    EXPECT_EQ(first, "abc");
    EXPECT_EQ(asio::read(near, asio::buffer(second)), 5U);
    EXPECT_EQ(second, "defgh");
  });
}

TEST(AsioStreamTest, ReadsAndWritesNothingWithoutWaitingWhenThereIsNoRoom) {
  weft::testing::run([] {
    auto [near, far] = connected();
    ErrorCode error = asio::error::eof;
    EXPECT_EQ(near.read_some(asio::mutable_buffer{}, error), 0U);
    EXPECT_FALSE(error);
    error = asio::error::eof;
    EXPECT_EQ(near.write_some(asio::const_buffer{}, error), 0U);
    EXPECT_FALSE(error);
    far.close();
    EXPECT_EQ(near.read_some(asio::mutable_buffer{}, error), 0U);
    EXPECT_FALSE(error) << "a read of 0 bytes does not report the end";
    EXPECT_EQ(near.read_some(std::vector<asio::mutable_buffer>{}, error), 0U);
    EXPECT_FALSE(error);
  });
}

TEST(AsioStreamTest, ReportsTheEndAsAnErrorAfterAllThatCameBefore) {
  weft::testing::run([] {
    auto [near, far] = connected();
    far.write_all("last");
    far.shutdown_write();
    std::string text(10, '.');
    ErrorCode error;
    EXPECT_EQ(asio::read(near, asio::buffer(text), error), 4U);
    EXPECT_EQ(error, asio::error::eof);
    EXPECT_EQ(near.read_some(asio::buffer(text), error), 0U);
    EXPECT_EQ(error, asio::error::eof);
    try {
      near.read_some(asio::buffer(text));
      FAIL() << "nothing was thrown";
    } catch (const boost::system::system_error& thrown) {
      EXPECT_EQ(thrown.code(), asio::error::eof);
    }
    EXPECT_EQ(asio::write(near, asio::buffer("still", 5)), 5U);  // the other direction is open
    std::string still(5, '.');
    far.read_exactly(still);
    EXPECT_EQ(still, "still");
  });
}

TEST(AsioStreamTest, ReadsWhatWasPutBackFirst) {
  weft::testing::run([] {
    auto [near, far] = connected();
    far.write_all("third");
    near.put_back(asio::buffer("second", 6));
    near.put_back(std::array{asio::buffer("fir", 3), asio::buffer("st", 2)});
    std::string text(16, '.');
    EXPECT_EQ(asio::read(near, asio::buffer(text)), 16U);
    EXPECT_EQ(text, "firstsecondthird");
  });
}

TEST(AsioStreamTest, ReadsOnlyWhatItHasWhileReadsAreRefused) {
  weft::testing::run([] {
    auto [near, far] = connected();
    far.write_all("later");
    near.put_back(asio::buffer("now", 3));
    near.refuse_reads(true);
    std::string text(8, '.');
    ErrorCode error;
    EXPECT_EQ(asio::read(near, asio::buffer(text), error), 3U);
    EXPECT_EQ(error, asio::error::would_block);
    near.refuse_reads(false);
    EXPECT_EQ(asio::read(near, asio::buffer(text, 5)), 5U);
    EXPECT_EQ(text, "later...");
  });
}

TEST(AsioStreamTest, WritesAllOfMoreThanTheKernelTakesAtOnce) {
  weft::testing::run([] {
    auto [near, far] = connected();
    const std::string much(8U << 20U, 'x');
    auto reader = weft::spawn([&far = far] { return far.read_all().size(); });
    EXPECT_EQ(asio::write(near, asio::buffer(much)), much.size());
    near.next_layer().shutdown_write();
    EXPECT_EQ(weft::await(reader), much.size());
  });
}

TEST(AsioStreamTest, WritesSmallBuffersAtOnceAndInOrder) {
  Recorder recorder;
  weft::AsioStream<Recorder&> stream{recorder};
  const std::string large(100'000, 'L');
  const std::array<asio::const_buffer, 5> buffers{asio::buffer("one ", 4), asio::const_buffer{},
                                                  asio::buffer("two ", 4), asio::buffer(large),
                                                  asio::buffer(" end", 4)};
  EXPECT_EQ(asio::write(stream, buffers), 8 + large.size() + 4);
  EXPECT_EQ(all_of(recorder), "one two " + large + " end");
  EXPECT_EQ(recorder.written.front().substr(0, 9), "one two L");
  EXPECT_LE(recorder.written.size(), 4U);
}

TEST(AsioStreamTest, GoesOnAfterWhatWasWrittenOfSeveralBuffers) {
  Recorder recorder;
  recorder.most = 3;
  weft::AsioStream<Recorder&> stream{recorder};
  const std::array<asio::const_buffer, 2> buffers{asio::buffer("abcd", 4), asio::buffer("efgh", 4)};
  EXPECT_EQ(asio::write(stream, buffers), 8U);
  EXPECT_EQ(recorder.written, (std::vector<std::string>{"abc", "def", "gh"}));
}

TEST(AsioStreamTest, WritesAnAnswerOfManyFieldsAtOnce) {
  Recorder recorder;
  weft::AsioStream<Recorder&> stream{recorder};
  http::response<http::string_body> response{http::status::ok, 11, "hello"};
  response.set(http::field::server, "weft");
  response.set(http::field::content_type, "text/plain");
  response.prepare_payload();
  http::write(stream, response);
  EXPECT_EQ(recorder.written.size(), 1U);
  EXPECT_EQ(all_of(recorder),
            "HTTP/1.1 200 OK\r\nServer: weft\r\nContent-Type: text/plain\r\n"
            "Content-Length: 5\r\n\r\nhello");
}

TEST(AsioStreamTest, ReportsErrorsOfTheSystemAsErrorCodes) {
  weft::testing::run([] {
    auto [near, far] = connected();
    far.io().set_option(SOL_SOCKET, SO_RCVBUF, 4096);
    asio::write(near, asio::buffer("unread", 6));
    far.wait_readable();
    far.close();  // with unread bytes: the kernel sends a reset
    std::string text(10, '.');
    ErrorCode error;
    EXPECT_EQ(near.read_some(asio::buffer(text), error), 0U);
    EXPECT_EQ(error, asio::error::connection_reset);
    EXPECT_EQ(near.write_some(asio::buffer(text), error), 0U);
    EXPECT_EQ(error, asio::error::broken_pipe);
    try {
      near.write_some(asio::buffer(text));
      FAIL() << "nothing was thrown";
    } catch (const boost::system::system_error& thrown) {
      EXPECT_EQ(thrown.code(), asio::error::broken_pipe);
    }
  });
}

TEST(AsioStreamTest, NotifiesAReaderThatTheStreamWasClosed) {
  weft::testing::run([] {
    auto [near, far] = connected();
    auto reader = weft::spawn([&near = near] {
      std::string text(10, '.');
      ErrorCode error;
      near.read_some(asio::buffer(text), error);
      return error;
    });
    weft::suspend();
    near.next_layer().close();
    EXPECT_EQ(weft::await(reader), asio::error::operation_aborted);
  });
}

TEST(AsioStreamTest, LetsACancellationThroughAlgorithmsThatTakeErrorCodes) {
  weft::testing::run([] {
    auto [near, far] = connected();
    ErrorCode error;
    auto reader = weft::spawn([&near = near, &error] {
      std::string text(10, '.');
      asio::read(near, asio::buffer(text), error);
    });
    weft::suspend();
    reader.cancel();
    EXPECT_THROW(weft::await(reader), weft::Cancelled);
    EXPECT_FALSE(error);
  });
}

TEST(AsioStreamTest, EndsReadsWithTheirTokenAndLosesNothing) {
  weft::testing::run([] {
    auto [near, far] = connected();
    std::string text(4, '.');
    {
      weft::Timeout deadline{20ms};
      near.set_read_token(deadline);
      EXPECT_THROW(near.read_some(asio::buffer(text)), weft::TimedOut);
      near.set_read_token({});
    }
    EXPECT_THROW(
        weft::with_timeout(20ms, [&near = near, &text] { asio::read(near, asio::buffer(text)); }),
        weft::TimedOut);
    far.write_all("late");
    EXPECT_EQ(asio::read(near, asio::buffer(text)), 4U);
    EXPECT_EQ(text, "late");
  });
}

TEST(AsioStreamTest, EndsWritesWithTheirToken) {
  weft::testing::run([] {
    auto [near, far] = connected();
    const std::string much(64U << 20U, 'x');  // and the other side does not read
    weft::Timeout deadline{20ms};
    near.set_write_token(deadline);
    ErrorCode error;
    EXPECT_THROW(asio::write(near, asio::buffer(much), error), weft::TimedOut);
  });
}

TEST(AsioStreamTest, ServesReadUntil) {
  weft::testing::run([] {
    auto [near, far] = connected();
    far.write_all("first\nsecond\n");
    std::string held;
    EXPECT_EQ(asio::read_until(near, asio::dynamic_buffer(held), '\n'), 6U);
    EXPECT_EQ(held.substr(0, 6), "first\n");
  });
}

TEST(AsioStreamTest, ServesBeastOverAUnixSocket) {
  weft::testing::run([] {
    auto [near, far] = weft::UnixStream::pair();
    weft::AsioStream<weft::UnixStream&> client{near};
    weft::AsioStream<weft::UnixStream&> server{far};
    http::write(client, http::request<http::empty_body>{http::verb::get, "/path", 11});
    beast::flat_buffer buffer;
    http::request<http::string_body> request;
    http::read(server, buffer, request);
    EXPECT_EQ(request.target(), "/path");
  });
}

TEST(AsioHttpTest, CarriesRequestsAndAnswersOverOneConnection) {
  weft::testing::run([] {
    auto [near, far] = connected();
    auto server = weft::spawn([&far = far] {
      weft::AsioStream<weft::TcpStream&> stream{far};
      beast::flat_buffer buffer;
      for (;;) {
        http::request<http::string_body> request;
        ErrorCode error;
        http::read(stream, buffer, request, error);
        if (error) return error;
        http::response<http::string_body> response{http::status::ok, 11};
        response.body() = std::string{request.target()} + " " + request.body();
        if (request.target() == "/chunked") {
          response.chunked(true);
        } else {
          response.prepare_payload();
        }
        http::write(stream, response);
      }
    });
    beast::flat_buffer buffer;
    for (const char* target : {"/plain", "/chunked", "/again"}) {
      http::request<http::string_body> request{http::verb::post, target, 11, "body"};
      request.prepare_payload();
      http::write(near, request);
      http::response<http::string_body> response;
      http::read(near, buffer, response);
      EXPECT_EQ(response.body(), std::string{target} + " body");
    }
    near.next_layer().close();
    EXPECT_EQ(weft::await(server), http::error::end_of_stream);
  });
}

TEST(AsioHttpTest, DistinguishesAnEndInTheMiddleOfAMessageFromOneBetweenTwo) {
  weft::testing::run([] {
    auto [near, far] = connected();
    far.write_all("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
    far.close();
    beast::flat_buffer buffer;
    http::response<http::string_body> response;
    ErrorCode error;
    http::read(near, buffer, response, error);
    EXPECT_EQ(error, http::error::partial_message);
  });
}

TEST(AsioWebSocketTest, EchoesAndClosesInOrder) {
  weft::testing::run([] {
    auto [near, far] = connected();
    auto server = weft::spawn([&far = far] {
      websocket::stream<weft::AsioStream<weft::TcpStream&>> socket{far};
      socket.accept();
      ErrorCode error;
      for (;;) {
        beast::flat_buffer message;
        socket.read(message, error);
        if (error) return error;
        socket.binary(socket.got_binary());
        socket.write(message.data());
      }
    });
    websocket::stream<weft::AsioStream<weft::TcpStream&>> socket{near.next_layer()};
    socket.handshake("localhost", "/");
    for (const std::size_t size : {0U, 5U, 200U, 70'000U}) {
      const std::string word(size, 'w');
      socket.write(asio::buffer(word));
      beast::flat_buffer answer;
      socket.read(answer);
      EXPECT_EQ(beast::buffers_to_string(answer.data()), word);
    }
    // Both sides wait: the server for the end of the connection, this side for its close frame.
    auto closing = weft::spawn([&socket] { socket.close(websocket::close_code::normal); });
    EXPECT_EQ(weft::await(server), websocket::error::closed);
    weft::await(closing);
    EXPECT_EQ(socket.reason().code, websocket::close_code::normal);
  });
}

TEST(AsioWebSocketTest, DoesNotWaitForeverForAPeerThatDoesNotHangUp) {
  weft::testing::run([] {
    auto [near, far] = connected();
    weft::Timeout deadline{20ms};
    near.set_read_token(deadline);
    ErrorCode error;
    EXPECT_THROW(teardown(beast::role_type::server, near, error), weft::TimedOut);
  });
}
