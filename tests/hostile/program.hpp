#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "output.hpp"
#include "rows.hpp"

namespace weft_hostile {

/// What the process that runs the program tells the one that started it, in memory of both.
struct Told {
  std::uint64_t suspensions = 0;
  std::uint64_t allocations = 0;
  bool succeeded = false;  // main() returned 0
  char text[512] = {};
};

inline constexpr int leaked = 42;           // status: something was left behind
inline constexpr int child_went_wrong = 5;  // status: that of a fork
inline constexpr int not_possible = 6;      // status: the surroundings could not be made

/// Runs the program in this process, which then ends. The status says how it went. What it prints
/// goes to `output`, if there is one.
[[noreturn]] void run_program(const Row& row, std::uint64_t point,
                              const std::vector<std::string>& arguments, const Output* output,
                              Told& told);

}  // namespace weft_hostile
