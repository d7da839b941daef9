#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace weft {

/// Counts how often a rare state was reached.
class Probe {
 public:
  explicit constexpr Probe(const char* name) noexcept : name_{name} {}
  void hit() noexcept;
  static std::uint64_t count(std::string_view name) noexcept;

 private:
  const char* name_;
  std::atomic<std::uint64_t> hits_{0};
  Probe* next_ = nullptr;  // in the list of probes that were hit
};

}  // namespace weft

/// Marks a rare state that the tests must reach. For paths where a few nanoseconds do not matter.
#define WEFT_PROBE(name)                              \
  do {                                                \
    static constinit ::weft::Probe weft_probe_{name}; \
    weft_probe_.hit();                                \
  } while (false)
