#include "http.hpp"

#include <array>
#include <exception>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>
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

/// The answer to a request that breaks a rule, or nothing if the client is gone.
std::optional<Response> answer_to(const ErrorCode& error) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
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

/// What is wrong with a valid header, if anything. The length of a request must be unambiguous: if
/// a proxy disagreed about it, an attacker could smuggle a second request inside the first.
const char* fault_of(const http::request_header<>& header) {
  using http::field;
  const auto codings = header.count(field::transfer_encoding);
  if (codings > 0 && (codings > 1 || header.version() < 11 ||
                      !beast::iequals(header[field::transfer_encoding], "chunked"))) {
    return "Only HTTP/1.1 has a transfer encoding, and only chunked is known here.\n";
  }
  if (header.version() >= 11 && header.count(field::host) != 1) {
    return "There must be one Host field.\n";
  }
  return nullptr;
}

/// One connection.
class Session {
 public:
  Session(weft::TcpStream& connection, const HttpHandlers& handlers, const HttpLimits& limits)
      : connection_{connection},
        handlers_{handlers},
        limits_{limits},
        buffer_{limits.header + most_ahead} {}

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
  /// Waits for the first byte. False: none came in time, the client has closed, or the server
  /// stops.
  bool wait_for_request() {
    if (buffer_.size() > 0) return true;  // the next request was sent along with the last
    buffer_.shrink_to_fit();              // an idle connection holds no memory for what may come
    ErrorCode error;
    stream_.set_read_token(handlers_.stop);
    try {
      weft::with_timeout(limits_.idle_time, [&] {
        connection_.wait_readable(handlers_.stop);
        buffer_.commit(stream_.read_some(buffer_.prepare(piece), error));
      });
    } catch (const weft::OperationCancelled&) {
      return false;
    } catch (const std::system_error&) {
      return false;  // it has gone
    }
    stream_.set_read_token({});
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
      if (const char* fault = error ? nullptr : fault_of(parser.get())) {
        return refuse(text(http::status::bad_request, fault));
      }
      if (!error && parser.get().version() >= 11 &&
          beast::iequals(parser.get()[http::field::expect], "100-continue")) {
        const http::response<http::empty_body> go_on{http::status::continue_, 11};
        weft::with_timeout(limits_.write_time, [&] { http::write(stream_, go_on, error); });
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
    if (send(response)) close_gently();
    return false;
  }

  /// Shuts down writing, and reads for a moment: closing with unread data would reset the
  /// connection, and the client might never see the answer.
  void close_gently() {
    try {
      weft::with_timeout(limits_.close_time, [&] {
        connection_.shutdown_write();
        std::array<std::byte, piece> rest;
        while (connection_.read_some(rest) != 0) {
        }
      });
    } catch (const weft::TimedOut&) {     // that is long enough
    } catch (const std::system_error&) {  // it has gone
    }
  }

  bool answer(const Request& request) {
    Response response;
    try {
      response = handlers_.respond(request);
    } catch (const std::exception& error) {
      response = text(http::status::internal_server_error, std::string{error.what()} + "\n");
    }
    response.version(request.version());
    const bool stays = request.keep_alive() && !is_stopping();
    response.keep_alive(stays);
    if (request.method() == http::verb::head) response.body().clear();
    return send(response) && stays;
  }

  [[nodiscard]] bool is_stopping() const {
    return handlers_.stop && handlers_.stop.event()->is_closed();
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
    socket.next_layer().put_back(buffer_.data());  // frames that came along with the request
    socket.read_message_max(limits_.body);
    ErrorCode error;
    try {
      weft::with_timeout(limits_.write_time, [&] { socket.accept(request, error); });
      while (!error) {
        beast::flat_buffer message;
        if (!read_message(socket, message, error)) return;
        socket.text(socket.got_text());
        const std::string reply = handlers_.echo(beast::buffers_to_string(message.data()));
        weft::with_timeout(limits_.write_time,
                           [&] { socket.write(boost::asio::buffer(reply), error); });
      }
    } catch (const weft::TimedOut&) {  // it does not read, or gives no goodbye
    }
  }

  /// Waits for a message. False: there will be none.
  bool read_message(websocket::stream<Stream>& socket, beast::flat_buffer& message,
                    ErrorCode& error) {
    socket.next_layer().set_read_token(handlers_.stop);
    try {
      weft::with_timeout(limits_.idle_time, [&] { socket.read(message, error); });
    } catch (const weft::OperationCancelled&) {
      socket.next_layer().set_read_token({});
      if (!socket.is_open()) return false;  // it was in the middle of its goodbye
      weft::with_timeout(limits_.close_time,
                         [&] { socket.close(websocket::close_code::going_away, error); });
      return false;
    }
    return !error;
  }

  static constexpr std::size_t piece = 4096;
  static constexpr std::size_t most_ahead = 64 * 1024;  // read and not yet asked for
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
  return weft::with_timeout(5s, [&] {
    weft::TcpStream connection = weft::TcpStream::connect("127.0.0.1", port);
    Stream stream{connection};
    http::request<http::empty_body> request{http::verb::get, target, 11};
    request.set(http::field::host, "127.0.0.1");
    request.keep_alive(false);
    http::write(stream, request);
    beast::flat_buffer buffer;
    Response response;
    http::read(stream, buffer, response);
    return std::move(response.body());
  });
}

}  // namespace demo
