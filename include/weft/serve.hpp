#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "weft/coroutine.hpp"
#include "weft/error.hpp"
#include "weft/extend/event.hpp"
#include "weft/extend/io.hpp"
#include "weft/place.hpp"
#include "weft/ref.hpp"
#include "weft/semaphore.hpp"
#include "weft/time.hpp"
#include "weft/token.hpp"
#include "weft/with_scope.hpp"

namespace weft {

class LimitedWarnings;

/// How a server has fared so far.
struct ServeCounts {
  std::size_t open = 0;        ///< connections being served now
  std::uint64_t accepted = 0;  ///< connections ever
  std::uint64_t failed = 0;    ///< connections whose handler threw, and what handlers spawned
  /// How often accepting paused because descriptors or memory ran out, or the system refused.
  std::uint64_t pauses = 0;
};

struct ServeOptions {
  /// Connections at once; others wait in the kernel's queue. 0: four fifths of the descriptors that
  /// the process may have.
  std::size_t max_connections = 0;
  /// Any event: when it happens, from the call on, the server closes its listener, lets what runs
  /// end, and returns.
  Token stop = {};
  /// How long connections, and what their handlers spawned, may go on after that before they are
  /// cancelled. 0: not at all.
  Duration grace = std::chrono::seconds{5};
  /// Gets what a handler throws, and what a coroutine does that one spawned; by default it is
  /// written as a warning, at most five of them in ten seconds, and then how many were left out.
  /// Must neither throw nor suspend.
  std::function<void(std::exception_ptr)> on_error = {};
  /// Kept up to date while the server runs.
  ServeCounts* counts = nullptr;
};

/// Underneath serve(): who may come in, and what becomes of those who are there.
class ServerCore {
 public:
  /// Held by each connection.
  class Seat {
   public:
    explicit Seat(ServerCore& server) noexcept : server_{&server} {}
    Seat(Seat&& other) noexcept : server_{std::exchange(other.server_, nullptr)} {}
    Seat& operator=(Seat&&) = delete;
    ~Seat() {
      if (server_ != nullptr) server_->leave();
    }

   private:
    ServerCore* server_;
  };

  ServerCore(const ServeOptions& options, Place place);
  ~ServerCore();
  ServerCore(const ServerCore&) = delete;
  ServerCore& operator=(const ServerCore&) = delete;

  /// A failure in `scope` that nobody has handled is that of a connection, not of the server.
  void watch_over(Scope& scope);
  /// What ends waiting for a connection.
  [[nodiscard]] Token stop() noexcept { return stopped_; }

  /// Suspends until there is a seat. Nothing: the server has been stopped.
  [[nodiscard]] std::optional<Seat> take_seat();
  /// Suspends in `admit_one`, which accepts a connection and spawns its coroutine. None comes in if
  /// the server is stopped, or if that failed for now: then some time has passed.
  template <std::invocable F>
  void admit(F admit_one) {
    try {
      const Coroutine<void> connection = admit_one();
      ++counts_.accepted;
      connection.base().add_callback(*make_ref<Unserved>(*this));
    } catch (const OperationCancelled&) {
      if (!stopped_.is_closed()) throw;
    } catch (const std::system_error& error) {
      if (!may_pass(error)) throw;
      pause();
    } catch (const std::bad_alloc&) {
      pause();
    }
  }
  /// Runs the handler of a connection, and answers for what it throws.
  template <std::invocable F>
  void guard(F handle) {
    const struct Open {
      explicit Open(std::size_t& open) noexcept : count{open} { ++count; }
      ~Open() { --count; }
      Open(const Open&) = delete;
      Open& operator=(const Open&) = delete;
      std::size_t& count;
    } open{counts_.open};
    try {
      handle();
    } catch (const Cancelled&) {
      throw;
    } catch (...) {
      failed(std::current_exception());
    }
  }
  /// Suspends until what is in the scope has ended, and cancels what does not in time.
  void drain(Scope& scope);

 private:
  class SeatFreed final : public Event {
   public:
    void happen() noexcept { notify(); }
    [[nodiscard]] std::string info() const override { return "serve(): a connection to end"; }
  };

  /// The event of the options has happened, whoever waits for it just then. It stays so.
  class Stopped final : public Event {
   public:
    void happen() noexcept { notify_and_close(); }
    [[nodiscard]] std::string info() const override { return "serve(): to be stopped"; }
  };
  class Watch final : public Callback {
   public:
    explicit Watch(ServerCore& server) noexcept : server_{server} {}
    ~Watch() override = default;
    void on_notify(Event& event, const Outcome& outcome) noexcept override;

   private:
    ServerCore& server_;
  };

  /// Told when the coroutine of a connection has ended: where there is no memory for its stack it
  /// has failed before it could begin.
  class Unserved final : public Callback {
   public:
    explicit Unserved(ServerCore& server) noexcept : server_{server} {}
    void on_notify(Event& event, const Outcome& outcome) noexcept override;

   private:
    ~Unserved() override = default;
    ServerCore& server_;
  };

  void watch(Event& event);
  void unwatch() noexcept;
  /// Whether accepting may succeed later: for want of descriptors or memory, or refused by the
  /// system, of which it warns.
  [[nodiscard]] bool may_pass(const std::system_error& error) noexcept;
  /// Suspends until it makes sense to try again.
  void pause();
  void leave() noexcept;
  void failed(std::exception_ptr error) noexcept;
  void warn_of_failure(const char* what) noexcept;

  const ServeOptions& options_;
  Place place_;
  ServeCounts own_counts_;
  ServeCounts& counts_;
  Semaphore seats_;
  std::unique_ptr<LimitedWarnings> warnings_;
  SeatFreed freed_;
  Stopped stopped_;
  Watch watch_{*this};
  Event* watched_ = nullptr;
};

/// Closes the listener of a server with its frame. The owner of the listener may be gone by then,
/// because its own frame unwound first; the handle underneath is kept and tells.
template <class L>
class ServedListener {
 public:
  explicit ServedListener(L& listener) : listener_{listener} {
    if constexpr (requires { listener.io(); }) io_ = Ref<Io>{&listener.io()};
  }
  ~ServedListener() {
    if constexpr (requires { listener_.io(); }) {
      if (io_->descriptor() >= 0) listener_.close();
    } else if constexpr (requires { listener_.close(); }) {
      listener_.close();
    }
  }
  ServedListener(const ServedListener&) = delete;
  ServedListener& operator=(const ServedListener&) = delete;

 private:
  L& listener_;
  Ref<Io> io_;
};

/// Suspends. Accepts connections and runs `handler(stream)` for each in a coroutine of its own, all
/// in one scope, until `options.stop` happens; returns when every connection has ended. What a
/// handler throws ends its connection only. When the caller is cancelled, so are they. A handler
/// that takes a UnixStream serves a listener on a path.
///
/// The listener is closed as soon as no more is accepted, before the last connections have ended:
/// who connects then is refused at once, or gets to another server with the same port, instead of
/// waiting for an answer that never comes. Connections that were not accepted yet are reset.
template <class L, class F>
void serve(L& listener, F handler, const ServeOptions& options = {}, Place place = Place::here()) {
  ServerCore server{options, place};
  const auto accept = [&] {
    if constexpr (requires { handler(listener.accept(server.stop(), place)); }) {
      return listener.accept(server.stop(), place);
    } else {
      return listener.accept_unix(server.stop(), place);
    }
  };
  const auto accept_until_stopped = [&](Scope& scope) {
    const ServedListener served{listener};
    while (std::optional<ServerCore::Seat> seat = server.take_seat()) {
      server.admit([&] {
        return scope.spawn(
            [&server, &handler, theirs = accept(), mine = std::move(*seat)]() mutable {
              server.guard([&] { handler(std::move(theirs)); });
            },
            place);
      });
    }
  };
  with_scope(
      [&](Scope& scope) {
        server.watch_over(scope);
        accept_until_stopped(scope);
        server.drain(scope);
      },
      place);
}

}  // namespace weft
