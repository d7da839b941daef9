// What `make demo` runs: an HTTP/1.1 and WebSocket server whose page shows the coroutines at work.

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "http.hpp"
#include "page.hpp"
#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

constexpr unsigned short default_port = 8080;
constexpr unsigned wrong = std::numeric_limits<unsigned>::max();

/// The number in `text`, or `otherwise`.
unsigned number_in(std::string_view text, unsigned otherwise) {
  unsigned value = otherwise;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? value : otherwise;
}

demo::Response html(std::string body) {
  demo::Response response = demo::text(demo::http::status::ok, std::move(body));
  response.set(demo::http::field::content_type, "text/html; charset=utf-8");
  return response;
}

/// Some parallel requests to ourselves.
std::string fetch_many(unsigned short port, unsigned count) {
  const auto begin = weft::now();
  weft::with_scope([&](weft::Scope& scope) {
    for (unsigned i = 0; i < count; ++i) {
      scope.spawn([port] { static_cast<void>(demo::fetch(port, "/delay/100")); });
    }
  });
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(weft::now() - begin);
  return std::to_string(count) + " requests of 100 ms each took " + std::to_string(took.count()) +
         " ms together.\n";
}

demo::Response respond(const demo::Request& request, unsigned short port) {
  using demo::http::status;
  using demo::http::verb;
  const std::string target{request.target()};
  const std::string_view path = std::string_view{target}.substr(0, target.find('?'));
  if (request.method() != verb::get && request.method() != verb::head) {
    demo::Response response = demo::text(status::method_not_allowed, "Only GET and HEAD.\n");
    response.set(demo::http::field::allow, "GET, HEAD");
    return response;
  }
  if (path == "/") return html(demo::page());
  if (path.starts_with("/delay/")) {
    const unsigned ms = number_in(path.substr(7), 0);
    if (ms > 60'000) return demo::text(status::bad_request, "At most 60000 milliseconds.\n");
    weft::delay(std::chrono::milliseconds{ms});
    return demo::text(status::ok, "Waited " + std::to_string(ms) + " ms.\n");
  }
  if (path == "/fetch") {
    const std::size_t at = target.find("n=");
    const unsigned count = number_in(
        at == std::string::npos ? std::string_view{} : std::string_view{target}.substr(at + 2), 10);
    if (count > 100) return demo::text(status::bad_request, "At most 100 at once.\n");
    return demo::text(status::ok, fetch_many(port, count));
  }
  if (path == "/file") {
    weft::File file = weft::File::open("/proc/self/status", weft::File::read);
    return demo::text(status::ok, file.read_all());
  }
  if (path == "/exec") {
    const weft::ExecResult result = weft::exec({"uname", "-a"});
    return demo::text(status::ok, result.output);
  }
  return demo::text(status::not_found, "There is nothing here.\n");
}

int usage(std::FILE* where, int code) {
  std::fputs(
      "Usage: demo [--port N] [--header-time MS] [--idle-time MS] [--write-time MS] [--help]\n"
      "Serves http://127.0.0.1:N/ (8080; 0 takes any free port) until SIGINT or SIGTERM; a second\n"
      "one does not wait for the requests under way.\n"
      "A client has MS milliseconds for a header (10000), between two requests (60000), and to\n"
      "take an answer (30000).\n",
      where);
  return code;
}

void serve(unsigned short port, const demo::HttpLimits& limits) {
  weft::Listener listener = weft::Listener::tcp("127.0.0.1", port);
  const unsigned short bound = listener.port();
  std::printf("weft demo: http://127.0.0.1:%u/ (Ctrl-C stops it)\n", bound);
  std::fflush(stdout);

  weft::Promise<void> stop;
  const weft::Future<void> stopped = stop.future();
  const auto on_signal = [&](int number) {
    weft::await(weft::signal(number));
    std::printf("weft demo: stopping\n");
    std::fflush(stdout);
    if (!stopped.is_completed()) stop.complete();
  };
  const demo::HttpHandlers handlers{
      .respond = [bound](const demo::Request& request) { return respond(request, bound); },
      .is_websocket = [](const std::string& target) { return target == "/ws"; },
      .echo = [](std::string message) { return message; },
      .stop = stopped,
  };
  weft::with_scope([&](weft::Scope& scope) {
    auto interrupted = scope.spawn(on_signal, SIGINT);
    auto terminated = scope.spawn(on_signal, SIGTERM);
    weft::serve(listener,
                [&](weft::TcpStream connection) {
                  demo::serve_http(std::move(connection), handlers, limits);
                },
                {.stop = stopped, .grace = 5s});
    interrupted.cancel();
    terminated.cancel();
  });
}

}  // namespace

int main(int count, char** arguments) {
  unsigned port = default_port;
  demo::HttpLimits limits;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument{arguments[i]};
    if (argument == "--help") return usage(stdout, EXIT_SUCCESS);
    const unsigned number = i + 1 < count ? number_in(arguments[++i], wrong) : wrong;
    if (argument == "--port" && number <= 65'535) {
      port = number;
    } else if (argument == "--header-time" && number != wrong && number > 0) {
      limits.header_time = std::chrono::milliseconds{number};
    } else if (argument == "--idle-time" && number != wrong && number > 0) {
      limits.idle_time = std::chrono::milliseconds{number};
    } else if (argument == "--write-time" && number != wrong && number > 0) {
      limits.write_time = std::chrono::milliseconds{number};
    } else {
      return usage(stderr, EXIT_FAILURE);
    }
  }
  try {
    // serve() waits for the first signal itself, and stops gracefully; the next comes here.
    weft::run([&] { serve(static_cast<unsigned short>(port), limits); },
              {.shutdown_signals = {SIGINT, SIGTERM}});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "weft demo: %s\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
