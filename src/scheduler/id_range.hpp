#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

/// Ids are unique in the process: each living runtime has a range of its own, the lowest that was
/// free when it was made.
class IdRange {
 public:
  IdRange();
  ~IdRange();
  IdRange(const IdRange&) = delete;
  IdRange& operator=(const IdRange&) = delete;
  // Around a fork: hold the lock, so that the child gets it unlocked and the data whole.
  static void before_fork() noexcept;
  static void after_fork() noexcept;
  [[nodiscard]] std::uint64_t begin() const noexcept { return std::uint64_t{number_} << id_bits; }

 private:
  static constexpr unsigned id_bits = 40;
  std::size_t number_;
};

}  // namespace weft
