#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "support.hpp"

namespace weft_test {

/// A body that parks until it is cancelled, and logs the reason.
inline auto waiting(Log& log, std::string name) {
  return [&log, name = std::move(name)] {
    try {
      weft::delay(std::chrono::hours{1});
      log.push_back(name + " waited");
    } catch (const weft::Cancelled& cancelled) {
      log.push_back(name + ": " + cancelled.reason());
      throw;
    }
  };
}

}  // namespace weft_test
