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
  std::string directory;                                // empty: ours
  std::optional<std::vector<std::string>> environment;  // NAME=value; nothing: ours
  std::array<ChildStream, 3> streams{};                 // input, output, errors
  bool new_group = false;                               // a process group of its own
};

/// A child process that was started, and our ends of its pipes.
struct StartedChild {
  int pid = -1;
  std::array<PipeEnd, 3> ends;
};

/// Throws ValueError if no such plan can be carried out: no program, a text with a NUL inside, or a
/// stream of the wrong direction.
void check_plan(const ChildPlan& plan);

/// Starts a child. It gets its three standard streams and no other descriptor, whatever others have
/// left open; no blocked signals; and the default action for SIGPIPE, which programs ignore for
/// themselves and seldom for their children. Our ends do not block. Throws std::system_error; then
/// there is no child, and nothing is open.
///
/// posix_spawn, not uv_spawn: that one installs a SIGCHLD handler of its own over ours, and lets
/// descriptors through that somebody opened without O_CLOEXEC.
StartedChild spawn_child(const ChildPlan& plan);

/// The command line for people.
std::string command_text(const std::vector<std::string>& argv);

}  // namespace weft
