// Several pages at once over HTTP, each with a deadline, one of which never comes.
//
// Boost.Beast reads and writes HTTP; weft::AsioStream lets its synchronous half suspend the
// coroutine instead of blocking the thread. The server answers no request before all have come: a
// client that fetches one page after the other would wait for ever. Needs Boost.

#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <weft/asio.hpp>
#include <weft/weft.hpp>

using namespace std::chrono_literals;
namespace beast = boost::beast;
namespace http = beast::http;

namespace {

struct Page {
  std::string target;
  weft::Duration patience;
};

void answer(weft::TcpStream connection, weft::Barrier& all_have_asked) {
  weft::AsioStream<weft::TcpStream&> stream{connection};
  beast::flat_buffer buffer;
  http::request<http::empty_body> request;
  http::read(stream, buffer, request);
  all_have_asked.arrive_and_wait();
  if (request.target() == "/never") return connection.wait_readable();  // until the client goes
  http::response<http::string_body> response{http::status::ok, request.version()};
  response.body() = "this is " + std::string{request.target()};
  response.prepare_payload();
  http::write(stream, response);
}

std::string fetch(std::uint16_t port, const std::string& target) {
  weft::AsioStream stream{weft::TcpStream::connect("127.0.0.1", port)};
  http::request<http::empty_body> request{http::verb::get, target, 11};
  request.set(http::field::host, "localhost");
  http::write(stream, request);
  beast::flat_buffer buffer;
  http::response<http::string_body> response;
  http::read(stream, buffer, response);
  return response.body();
}

void fetch_all(std::uint16_t port, const std::vector<Page>& pages) {
  std::vector<weft::Coroutine<std::string>> fetches;
  fetches.reserve(pages.size());
  for (const Page& page : pages) {
    fetches.push_back(weft::spawn([port, page]() -> std::string {
      try {
        return weft::with_timeout(page.patience, [&] { return fetch(port, page.target); });
      } catch (const weft::TimedOut&) {
        return "timed out";
      }
    }));
  }
  for (const std::string& text : weft::await_all(fetches)) std::cout << text << "\n";
}

}  // namespace

int main() {
  weft::run([] {
    const std::vector<Page> pages{{"/warp", 2s}, {"/never", 200ms}, {"/weft", 2s}};
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    weft::Barrier all_have_asked{static_cast<std::ptrdiff_t>(pages.size())};
    weft::with_scope([&](weft::Scope& scope) {
      auto client = scope.spawn([&] { fetch_all(listener.port(), pages); });
      const auto handler = [&](weft::TcpStream connection) {
        answer(std::move(connection), all_have_asked);
      };
      weft::serve(listener, handler, {.stop = client});
      weft::await(client);
    });
  });
}

// Prints:
//   this is /warp
//   timed out
//   this is /weft
