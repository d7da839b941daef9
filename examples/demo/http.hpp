#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

#include <weft/tcp.hpp>
#include <weft/token.hpp>

// HTTP/1.1 on coroutines: Boost.Beast knows the protocol, weft waits. One coroutine serves one
// connection, written as if there were no others.
namespace demo {

namespace http = boost::beast::http;
using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;

/// Limits of a request, in size and in time.
struct HttpLimits {
  std::size_t line = 8 * 1024;     // of the request target
  std::size_t header = 32 * 1024;  // of all the header
  std::size_t fields = 100;
  std::size_t body = 1024 * 1024;
  std::chrono::milliseconds header_time{10'000};  // from its first byte to its last
  std::chrono::milliseconds body_time{30'000};
  std::chrono::milliseconds idle_time{60'000};  // between two requests
  std::chrono::milliseconds write_time{30'000};
  std::chrono::milliseconds close_time{2'000};  // for the last words of both sides
};

struct HttpHandlers {
  /// May suspend. What it throws becomes a 500.
  std::function<Response(const Request&)> respond;
  /// If set: requests for this target may be upgraded to a WebSocket; takes each message and
  /// returns the answer.
  std::function<bool(const std::string& target)> is_websocket;
  std::function<std::string(std::string message)> echo;
  /// When this is completed, connections end where they would wait for the next request.
  weft::Token stop = {};
};

/// Suspends. Serves one connection until the client goes, breaks a rule, or is too slow.
void serve_http(weft::TcpStream connection, const HttpHandlers& handlers,
                const HttpLimits& limits = {});

/// An answer of plain text.
Response text(http::status status, std::string body);

/// Suspends. Asks 127.0.0.1:`port` for `target` and gives the body of the answer.
std::string fetch(unsigned short port, const std::string& target);

}  // namespace demo
