#pragma once

#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "failures.hpp"
#include "support.hpp"

// Senders and receivers for the tests of channels.
namespace weft_test {

/// Spawns a coroutine that sends `value` and logs the outcome.
inline auto sending(weft::Channel<int>& channel, int value, Log& log) {
  return weft::spawn([&channel, value, &log] {
    const auto error = error_of([&] { channel.send(value); });
    log.push_back((error ? text(error) : "sent") + " " + std::to_string(value));
    if (is<weft::Cancelled>(error)) std::rethrow_exception(error);
  });
}

/// Spawns a coroutine that receives once and logs the value.
inline auto receiving(weft::Channel<int>& channel, std::string name, Log& log) {
  return weft::spawn([&channel, name = std::move(name), &log] {
    std::optional<int> value;
    const auto error = error_of([&] { value = channel.recv(); });
    log.push_back(name + " " + (error ? text(error) : std::to_string(*value)));
    if (is<weft::Cancelled>(error)) std::rethrow_exception(error);
  });
}

inline const std::string closed_text = "The channel is closed: closed explicitly";

}  // namespace weft_test
