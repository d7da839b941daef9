#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <optional>
#include <utility>

#include "weft/detail/server_core.hpp"
#include "weft/place.hpp"
#include "weft/serve_options.hpp"
#include "weft/with_scope.hpp"

namespace weft {

/// Suspends until `options.stop` happens and every connection has ended. Accepts connections and
/// runs `handler(stream)` for each in a coroutine of its own, all in one scope. An exception of a
/// handler ends its connection only. Cancelling the caller cancels the handlers. A handler that
/// takes a UnixStream serves a listener on a path.
///
/// The listener is closed as soon as the server stops accepting, before the last connections have
/// ended: later clients are refused at once, or reach another server on the same port, instead of
/// waiting for an answer that never comes. Connections that were not accepted yet are reset.
template <class L, class F>
void serve(L& listener, F handler, const ServeOptions& options = {}, Place place = Place::here()) {
  detail::ServerCore server{options, place};
  const auto accept = [&] {
    if constexpr (requires { handler(listener.accept(server.stop(), place)); }) {
      return listener.accept(server.stop(), place);
    } else {
      return listener.accept_unix(server.stop(), place);
    }
  };
  const auto accept_until_stopped = [&](Scope& scope) {
    const detail::ServedListener served{listener};
    while (std::optional<detail::ServerCore::ConnectionSlot> slot = server.acquire_slot()) {
      server.admit([&] {
        return scope.spawn(
            [&server, &handler, theirs = accept(), mine = std::move(*slot)]() mutable {
              server.guard([&] { handler(std::move(theirs)); });
            },
            place);
      });
    }
  };
  with_scope(
      [&](Scope& scope) {
        server.handle_failures_of(scope);
        accept_until_stopped(scope);
        server.drain(scope);
      },
      place);
}

}  // namespace weft
