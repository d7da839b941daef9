#include "weft/serve.hpp"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <string>
#include <sys/resource.h>
#include <system_error>
#include <utility>

#include "server/limited_warnings.hpp"
#include "weft/await.hpp"
#include "weft/timeout.hpp"
#include "weft/with_timeout.hpp"

namespace weft::detail {
namespace {

/// How long to leave the backlog alone when accept() fails.
constexpr std::chrono::milliseconds accept_pause{100};

/// Leaves descriptors for other needs of connections: files, children, connections of their own.
std::ptrdiff_t most_connections(std::size_t asked) noexcept {
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  if (asked != 0) return static_cast<std::ptrdiff_t>(std::min(asked, most));
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1'000;
  const auto descriptors = static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, most));
  return static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, descriptors / 5 * 4));
}

}  // namespace

bool ServerCore::may_pass(const std::system_error& error) noexcept {
  const std::error_category& category = error.code().category();
  if (category != std::generic_category() && category != std::system_category()) return false;
  switch (error.code().value()) {
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
    case ENOSR:
      return true;
    case EPERM:  // a firewall rule or a security module
    case EACCES:
    case EPROTONOSUPPORT:
    case ESOCKTNOSUPPORT:
      warnings_->write(error.what());
      return true;
    default:
      return false;
  }
}

ServerCore::ServerCore(const ServeOptions& options, Place place)
    : options_{options},
      place_{place},
      counts_{options.counts != nullptr ? *options.counts : own_counts_},
      slots_{most_connections(options.max_connections)},
      warnings_{std::make_unique<LimitedWarnings>("serve(): ")} {
  if (options.grace < Duration::zero()) throw ValueError{"The grace of serve() is below 0"};
  if (options.stop) watch(resolve(*options.stop.event()));
}

ServerCore::~ServerCore() { unwatch(); }

/// Subscribed all the time, not only during waits: an event need not store that it has notified,
/// and under load there is always a connection to accept.
void ServerCore::watch(Event& event) {
  event.set(Event::result_used_flag);
  if (!event.add_callback(watch_)) {  // it is closed already
    event.set(Event::error_caught_flag);
    return stopped_.fire();
  }
  watched_ = &event;
  try {
    event.start();
  } catch (...) {
    std::exchange(watched_, nullptr)->remove_callback(watch_);
    throw;
  }
}

void ServerCore::unwatch() noexcept {
  Event* const event = std::exchange(watched_, nullptr);
  if (event == nullptr) return;
  event->stop();
  event->remove_callback(watch_);
}

void ServerCore::Watch::on_notify(Event& event, const Outcome& outcome) noexcept {
  if (outcome.error() != nullptr) event.claim_error();
  server_.unwatch();
  server_.stopped_.fire();
}

void ServerCore::StartFailure::on_notify(Event& event, const Outcome& outcome) noexcept {
  if (outcome.error() == nullptr || is_cancellation(outcome.error())) return;
  event.claim_error();
  server_.failed(outcome.error());
}

void ServerCore::handle_failures_of(Scope& scope) {
  scope.set_exception_handler(
      [this](Scope&, const AnyCoroutine&, std::exception_ptr error) { failed(std::move(error)); });
}

std::optional<ServerCore::ConnectionSlot> ServerCore::acquire_slot() {
  if (stopped_.is_closed()) return std::nullopt;
  try {
    slots_.acquire(stopped_, place_);
  } catch (const OperationCancelled&) {
    return std::nullopt;
  }
  return ConnectionSlot{*this};
}

void ServerCore::leave() noexcept {
  slots_.release();
  freed_.fire();
}

void ServerCore::pause() {
  ++counts_.pauses;
  try {
    with_timeout(accept_pause, [&] { await(freed_, stopped_, place_); });
  } catch (const OperationCancelled&) {  // the pause is over, or the server stops
  }
}

void ServerCore::failed(std::exception_ptr error) noexcept {
  ++counts_.failed;
  if (options_.on_error) return options_.on_error(std::move(error));
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& failure) {
    warn_of_failure(failure.what());
  } catch (...) {
    warn_of_failure("something that is no std::exception");
  }
}

void ServerCore::warn_of_failure(const char* what) noexcept {
  try {
    warnings_->write(std::string{"a connection failed: "} + what);
  } catch (...) {  // no memory for the text
    warnings_->write("a connection failed");
  }
}

void ServerCore::drain(Scope& scope) {
  try {
    if (options_.grace > Duration::zero()) {
      return scope.await_completion(timeout(options_.grace), place_);
    }
  } catch (const OperationCancelled&) {  // the grace period is over
  }
  scope.cancel("The server has stopped");
}

}  // namespace weft::detail
