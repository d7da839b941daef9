#include "http.hpp"

#include <exception>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include <weft/asio.hpp>
#include <weft/weft.hpp>

namespace demo {
namespace {

namespace beast = boost::beast;
namespace websocket = beast::websocket;

using ErrorCode = boost::system::error_code;
using Parser = http::request_parser<http::string_body>;
using Stream = weft::AsioStream<weft::TcpStream&>;
using namespace std::chrono_literals;

/// The answer to a request that breaks a rule, or nothing if there is nobody to tell.
std::optional<Response> answer_to(const ErrorCode& error) {
  if (error == http::error::header_limit) {
    return text(http::status::request_header_fields_too_large, "The header is too large.\n");
  }
  if (error == http::error::body_limit) {
    return text(http::status::payload_too_large, "The body is larger than 1 MiB.\n");
  }
  const bool about_http = error.category() == make_error_code(http::error::bad_target).category();
  if (about_http && error != http::error::end_of_stream && error != http::error::partial_message) {
    return text(http::status::bad_request, "This is not HTTP/1.1: " + error.message() + ".\n");
  }
  return std::nullopt;  // it has gone
}

/// One connection.
class Session {
 public:
  Session(weft::TcpStream& connection, const HttpHandlers& handlers, const HttpLimits& limits)
      : connection_{connection}, handlers_{handlers}, limits_{limits} {}

  void run() {
    while (wait_for_request()) {
      Parser parser;
      parser.header_limit(static_cast<std::uint32_t>(limits_.header));
      parser.body_limit(limits_.body);
      if (!read(parser)) return;
      if (websocket::is_upgrade(parser.get()) &&
          handlers_.is_websocket(std::string{parser.get().target()})) {
        return talk(parser.release());
      }
      if (!answer(parser.release())) return;
    }
  }

 private:
  /// Waits for the first byte. False: nobody came in time, or the client has gone.
  bool wait_for_request() {
    if (buffer_.size() > 0) return true;  // the next request was sent along with the last
    ErrorCode error;
    try {
      weft::with_timeout(limits_.idle_time,
                         [&] { buffer_.commit(stream_.read_some(buffer_.prepare(piece), error)); });
    } catch (const weft::TimedOut&) {
      return false;
    }
    return !error;
  }

  /// Reads one request. False: it was refused, and the connection is over.
  bool read(Parser& parser) {
    ErrorCode error;
    try {
      weft::with_timeout(limits_.header_time,
                         [&] { http::read_header(stream_, buffer_, parser, error); });
      if (!error && parser.get().target().size() > limits_.line) {
        return refuse(text(http::status::uri_too_long, "The address is longer than 8 KiB.\n"));
      }
      const auto fields = std::distance(parser.get().begin(), parser.get().end());
      if (!error && static_cast<std::size_t>(fields) > limits_.fields) {
        return refuse(text(http::status::request_header_fields_too_large,
                           "There are more than 100 header fields.\n"));
      }
      if (!error && parser.get()[http::field::expect] == "100-continue") {
        http::write(stream_, http::response<http::empty_body>{http::status::continue_, 11}, error);
      }
      if (!error) {
        weft::with_timeout(limits_.body_time, [&] { http::read(stream_, buffer_, parser, error); });
      }
    } catch (const weft::TimedOut&) {
      return refuse(text(http::status::request_timeout, "This took too long.\n"));
    }
    if (!error) return true;
    if (std::optional<Response> response = answer_to(error)) return refuse(std::move(*response));
    return false;
  }

  bool refuse(Response response) {
    response.keep_alive(false);
    send(response);
    return false;
  }

  bool answer(const Request& request) {
    Response response;
    try {
      response = handlers_.respond(request);
    } catch (const std::exception& error) {
      response = text(http::status::internal_server_error, std::string{error.what()} + "\n");
    }
    response.version(request.version());
    response.keep_alive(request.keep_alive());
    if (request.method() == http::verb::head) response.body().clear();
    return send(response) && request.keep_alive();
  }

  bool send(Response& response) {
    response.set(http::field::server, "weft");
    ErrorCode error;
    try {
      weft::with_timeout(limits_.write_time, [&] { http::write(stream_, response, error); });
    } catch (const weft::TimedOut&) {
      return false;  // it does not read
    }
    return !error;
  }

  /// A WebSocket until one side closes it.
  void talk(const Request& request) {
    websocket::stream<Stream> socket{connection_};
    socket.read_message_max(limits_.body);
    ErrorCode error;
    socket.accept(request, error);
    while (!error) {
      beast::flat_buffer message;
      try {
        weft::with_timeout(limits_.idle_time, [&] { socket.read(message, error); });
      } catch (const weft::TimedOut&) {
        socket.close(websocket::close_code::going_away, error);
        return;
      }
      if (error) return;
      socket.text(socket.got_text());
      const std::string reply = handlers_.echo(beast::buffers_to_string(message.data()));
      socket.write(boost::asio::buffer(reply), error);
    }
  }

  static constexpr std::size_t piece = 4096;
  weft::TcpStream& connection_;
  Stream stream_{connection_};
  const HttpHandlers& handlers_;
  const HttpLimits& limits_;
  beast::flat_buffer buffer_;
};

}  // namespace

void serve_http(weft::TcpStream connection, const HttpHandlers& handlers,
                const HttpLimits& limits) {
  connection.no_delay();
  Session{connection, handlers, limits}.run();
}

Response text(http::status status, std::string body) {
  Response response{status, 11, std::move(body)};
  response.set(http::field::content_type, "text/plain; charset=utf-8");
  response.prepare_payload();
  return response;
}

std::string fetch(unsigned short port, const std::string& target) {
  weft::TcpStream connection = weft::TcpStream::connect("127.0.0.1", port, weft::timeout(5s));
  Stream stream{connection};
  http::request<http::empty_body> request{http::verb::get, target, 11};
  request.set(http::field::host, "127.0.0.1");
  request.keep_alive(false);
  http::write(stream, request);
  beast::flat_buffer buffer;
  Response response;
  http::read(stream, buffer, response);
  return std::move(response.body());
}

}  // namespace demo
