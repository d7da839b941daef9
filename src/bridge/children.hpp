#pragma once

#include <cstdio>
#include <optional>
#include <sys/resource.h>
#include <sys/types.h>

namespace weft::bridge {

/// wait4() in a coroutine; `function` names the call in reports.
pid_t wait_for_child(const char* function, pid_t child, int* status, int options, rusage* usage);
/// pclose() of a stream of popen() in a coroutine; nothing for any other.
std::optional<int> close_command(const char* function, FILE* stream);

/// Around a fork: the child has no other thread that could release these locks.
void lock_commands() noexcept;
void unlock_commands() noexcept;

}  // namespace weft::bridge
