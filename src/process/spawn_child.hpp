#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "process/pipe_end.hpp"
#include "weft/child_stream.hpp"

namespace weft {

/// How a child process is to be started.
struct ChildPlan {
  std::vector<std::string> argv;
  std::string directory;                                // empty: that of this process
  std::optional<std::vector<std::string>> environment;  // NAME=value; none: that of this process
  std::array<ChildStream, 3> streams{};                 // input, output, errors
  bool new_group = false;                               // a process group of its own
};

/// A started child process, and this process's ends of its pipes.
struct StartedChild {
  int pid = -1;
  std::array<PipeEnd, 3> ends;
};

/// Throws ValueError for a plan that cannot work: no program, a text with a NUL inside, or a stream
/// of the wrong direction.
void check_plan(const ChildPlan& plan);

/// Starts a child. It gets its three standard streams and no other descriptor, whatever the program
/// has left open; no blocked signals; and the default action for SIGPIPE, which programs ignore for
/// themselves and seldom for their children. The ends of this process are non-blocking. Throws
/// std::system_error; then there is no child, and nothing is open.
///
/// posix_spawn, not uv_spawn, which replaces our SIGCHLD handler with its own, and lets the child
/// inherit descriptors that were opened without O_CLOEXEC.
StartedChild spawn_child(const ChildPlan& plan);

/// The command line, for messages.
std::string command_text(const std::vector<std::string>& argv);

}  // namespace weft
