#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "output.hpp"
#include "rows.hpp"

namespace weft_hostile {

/// Shared memory in which the process of the program reports to the harness.
struct ProgramReport {
  std::uint64_t suspensions = 0;
  std::uint64_t allocations = 0;
  bool succeeded = false;  // main() returned 0
  char text[512] = {};
};

inline constexpr int leaked = 42;           // status: events or coroutines were left behind
inline constexpr int child_went_wrong = 5;  // status: a forked child has failed
inline constexpr int not_possible = 6;      // status: the surroundings could not be set up

/// Runs the program in this process and exits with a status that says how it ended. Its output goes
/// to `output`, if that is not null.
[[noreturn]] void run_program(const Row& row, std::uint64_t point,
                              const std::vector<std::string>& arguments, const Output* output,
                              ProgramReport& report);

}  // namespace weft_hostile
