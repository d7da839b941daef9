#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/for_siblings.hpp"

namespace weft {

/// Counts how often a rare state was reached.
class Probe {
 public:
  explicit constexpr Probe(const char* name) noexcept : name_{name} {}
  WEFT_FOR_SIBLINGS void hit(std::uint64_t times = 1) noexcept;
  WEFT_FOR_SIBLINGS static std::uint64_t count(std::string_view name) noexcept;

  struct Count {
    Probe* probe;
    std::uint64_t hits;
  };
  /// Every probe that was hit, newest first.
  WEFT_FOR_SIBLINGS static std::vector<Count> counts();

 private:
  const char* name_;
  std::atomic<std::uint64_t> hits_{0};
  Probe* next_ = nullptr;  // in the list of probes that were hit, which none ever leaves
};

}  // namespace weft

/// Marks a rare state that the tests must reach. For paths where a few nanoseconds do not matter.
#define WEFT_PROBE(name)                              \
  do {                                                \
    static constinit ::weft::Probe weft_probe_{name}; \
    weft_probe_.hit();                                \
  } while (false)
