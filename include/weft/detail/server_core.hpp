#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
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
#include "weft/serve_options.hpp"
#include "weft/token.hpp"

namespace weft {
class LimitedWarnings;
class Scope;
}  // namespace weft

namespace weft::detail {

/// Underneath serve(): admits connections, and ends those that run when the server stops.
class ServerCore {
 public:
  /// Held by each connection.
  class ConnectionSlot {
   public:
    explicit ConnectionSlot(ServerCore& server) noexcept : server_{&server} {}
    ConnectionSlot(ConnectionSlot&& other) noexcept
        : server_{std::exchange(other.server_, nullptr)} {}
    ConnectionSlot& operator=(ConnectionSlot&&) = delete;
    ~ConnectionSlot() {
      if (server_ != nullptr) server_->leave();
    }

   private:
    ServerCore* server_;
  };

  ServerCore(const ServeOptions& options, Place place);
  ~ServerCore();
  ServerCore(const ServerCore&) = delete;
  ServerCore& operator=(const ServerCore&) = delete;

  /// Makes an unhandled failure in `scope` that of a connection, not of the server.
  void handle_failures_of(Scope& scope);
  /// The token that ends the wait for a connection.
  [[nodiscard]] Token stop() noexcept { return stopped_; }

  /// Suspends until a slot is free. Nothing: the server has been stopped.
  [[nodiscard]] std::optional<ConnectionSlot> acquire_slot();
  /// Suspends in `admit_one`, which accepts a connection and spawns its coroutine. None is admitted
  /// if the server is stopped, or if that failed for now: then it has paused.
  template <std::invocable F>
  void admit(F admit_one) {
    try {
      const Coroutine<void> connection = admit_one();
      ++counts_.accepted;
      connection.base().add_callback(*make_ref<StartFailure>(*this));
    } catch (const OperationCancelled&) {
      if (!stopped_.is_closed()) throw;
    } catch (const std::system_error& error) {
      if (!may_pass(error)) throw;
      pause();
    } catch (const std::bad_alloc&) {
      pause();
    }
  }
  /// Runs the handler of a connection, and reports what it throws.
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
  /// Suspends until every coroutine of the scope has ended, and cancels those that do not in time.
  void drain(Scope& scope);

 private:
  class SlotFreed final : public Event {
   public:
    void fire() noexcept { notify(); }
    [[nodiscard]] std::string info() const override { return "serve(): a connection to end"; }
  };

  /// Remembers that the event of the options has happened, even if no coroutine waited for it then.
  class Stopped final : public Event {
   public:
    void fire() noexcept { notify_and_close(); }
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

  /// Called when the coroutine of a connection has ended: without memory for its stack it has
  /// failed before it could begin.
  class StartFailure final : public Callback {
   public:
    explicit StartFailure(ServerCore& server) noexcept : server_{server} {}
    void on_notify(Event& event, const Outcome& outcome) noexcept override;

   private:
    ~StartFailure() override = default;
    ServerCore& server_;
  };

  void watch(Event& event);
  void unwatch() noexcept;
  /// Whether accepting may succeed later: descriptors or memory ran out, or the system refused, of
  /// which it warns.
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
  Semaphore slots_;
  std::unique_ptr<LimitedWarnings> warnings_;
  SlotFreed freed_;
  Stopped stopped_;
  Watch watch_{*this};
  Event* watched_ = nullptr;
};

/// Closes the listener of a server with its frame. The owner of the listener may be destroyed by
/// then, because its own frame unwound first; the handle underneath is kept to find out.
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

}  // namespace weft::detail
