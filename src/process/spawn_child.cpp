#include "process/spawn_child.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <system_error>
#include <unistd.h>

#include "base/real_calls.hpp"
#include "base/system_calls.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

void require(int error, const std::string& what) {
  if (error != 0) throw std::system_error{error, std::generic_category(), what};
}

/// What the child does between fork and exec.
class SpawnActions {
 public:
  SpawnActions() {
    require(::posix_spawn_file_actions_init(&actions_), "prepare a child");
    if (const int error = ::posix_spawnattr_init(&attributes_); error != 0) {
      ::posix_spawn_file_actions_destroy(&actions_);
      require(error, "prepare a child");
    }
  }
  ~SpawnActions() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  void duplicate(int from, int to) {
    require(::posix_spawn_file_actions_adddup2(&actions_, from, to), "prepare a child");
  }
  void discard(int target) {
    require(::posix_spawn_file_actions_addopen(&actions_, target, "/dev/null", O_RDWR, 0),
            "prepare a child");
  }
  void enter(const std::string& directory) {
    require(::posix_spawn_file_actions_addchdir_np(&actions_, directory.c_str()),
            "prepare a child");
  }
  void close_the_rest() { require(add_close_from(actions_, 3), "prepare a child"); }
  void lead_group() {
    require(::posix_spawnattr_setpgroup(&attributes_, 0), "prepare a child");
    flags_ |= POSIX_SPAWN_SETPGROUP;
  }
  void reset_signals() {
    sigset_t none;
    sigemptyset(&none);
    sigset_t perhaps_ignored;
    sigemptyset(&perhaps_ignored);
    sigaddset(&perhaps_ignored, SIGPIPE);
    sigaddset(&perhaps_ignored, SIGTERM);  // the signal that terminate() sends
    require(::posix_spawnattr_setsigmask(&attributes_, &none), "prepare a child");
    require(::posix_spawnattr_setsigdefault(&attributes_, &perhaps_ignored), "prepare a child");
    flags_ |= POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
  }
  void finish() {
    require(::posix_spawnattr_setflags(&attributes_, static_cast<short>(flags_)),
            "prepare a child");
  }
  [[nodiscard]] const posix_spawn_file_actions_t* actions() const noexcept { return &actions_; }
  [[nodiscard]] const posix_spawnattr_t* attributes() const noexcept { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
  int flags_ = 0;
};

/// Moves a descriptor above 2: in a program that has closed its standard streams a pipe could get
/// such a number, and be overwritten before it is used.
void keep_above_standard(PipeEnd& end) {
  if (end.get() > 2) return;
  const int moved = real_calls.fcntl(end.get(), F_DUPFD_CLOEXEC, 3);
  require(moved < 0 ? errno : 0, "make a pipe");
  end = PipeEnd{moved};
}

struct ChildPipe {
  PipeEnd ours;
  PipeEnd theirs;
};

ChildPipe make_child_pipe(bool child_reads) {
  int ends[2];
  require(open_pipe(ends, PipeEnds::block) != 0 ? errno : 0, "make a pipe");
  PipeEnd reading{ends[0]};
  PipeEnd writing{ends[1]};
  keep_above_standard(reading);
  keep_above_standard(writing);
  ChildPipe pipe{std::move(child_reads ? writing : reading),
                 std::move(child_reads ? reading : writing)};
  // Only this end: children do not expect a non-blocking standard stream.
  require(real_calls.fcntl(pipe.ours.get(), F_SETFL, O_NONBLOCK) != 0 ? errno : 0, "make a pipe");
  return pipe;
}

/// Opened here, not in the child, so that an error can name the file.
PipeEnd open_child_file(const ChildStream& stream) {
  int flags = O_RDONLY;
  if (stream.opening() != ChildStream::Opening::read) {
    const bool appends = stream.opening() == ChildStream::Opening::append;
    flags = O_WRONLY | O_CREAT | (appends ? O_APPEND : O_TRUNC);
  }
  // Opening a named pipe could block the thread; the child gets a blocking descriptor.
  PipeEnd file{::open(stream.path().c_str(), flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666)};
  const std::string what = "open " + stream.path();
  require(file.is_open() ? 0 : errno, what);
  keep_above_standard(file);
  const int present = real_calls.fcntl(file.get(), F_GETFL);
  require(real_calls.fcntl(file.get(), F_SETFL, present & ~O_NONBLOCK) != 0 ? errno : 0, what);
  return file;
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  // posix_spawn() takes char*, as execve() does, but changes nothing.
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

bool has_nul(const std::string& text) { return text.find('\0') != std::string::npos; }

/// What the child has as standard input, output and errors. `theirs` must stay open until it has
/// started.
void redirect(const ChildPlan& plan, std::array<PipeEnd, 3>& ours, std::array<PipeEnd, 3>& theirs,
              SpawnActions& actions) {
  for (int target = 0; target < 3; ++target) {
    const auto at = static_cast<std::size_t>(target);
    switch (plan.streams[at].kind()) {
      case ChildStream::inherited:
        break;
      case ChildStream::null:
        actions.discard(target);
        break;
      case ChildStream::with_output:
        actions.duplicate(STDOUT_FILENO, target);
        break;
      case ChildStream::piped: {
        ChildPipe pipe = make_child_pipe(target == STDIN_FILENO);
        ours[at] = std::move(pipe.ours);
        theirs[at] = std::move(pipe.theirs);
        actions.duplicate(theirs[at].get(), target);
        break;
      }
      case ChildStream::file:
        theirs[at] = open_child_file(plan.streams[at]);
        actions.duplicate(theirs[at].get(), target);
        break;
    }
  }
}

}  // namespace

void check_plan(const ChildPlan& plan) {
  if (plan.argv.empty() || plan.argv.front().empty()) {
    throw ValueError{"A command needs the name of a program"};
  }
  const bool bad_environment =
      plan.environment && std::any_of(plan.environment->begin(), plan.environment->end(), has_nul);
  if (std::any_of(plan.argv.begin(), plan.argv.end(), has_nul) || has_nul(plan.directory) ||
      bad_environment) {
    throw ValueError{"A command, its directory and its environment must not have a NUL inside"};
  }
  if (plan.streams[0].kind() == ChildStream::with_output ||
      plan.streams[1].kind() == ChildStream::with_output) {
    throw ValueError{"Only standard error can go where standard output goes"};
  }
  for (std::size_t i = 0; i < plan.streams.size(); ++i) {
    const ChildStream& stream = plan.streams[i];
    if (stream.kind() != ChildStream::file) continue;
    if (has_nul(stream.path())) throw ValueError{"A path must not have a NUL inside"};
    const bool reads = stream.opening() == ChildStream::Opening::read;
    if (reads != (i == 0)) {
      throw ValueError{"Standard input comes from_file(), output and errors go to_file()"};
    }
  }
}

StartedChild spawn_child(const ChildPlan& plan) {
  check_plan(plan);
  StartedChild child;
  std::array<PipeEnd, 3> theirs;
  SpawnActions actions;
  redirect(plan, child.ends, theirs, actions);
  actions.close_the_rest();
  if (!plan.directory.empty()) actions.enter(plan.directory);
  actions.reset_signals();
  if (plan.new_group) actions.lead_group();
  actions.finish();
  const std::vector<char*> argv = pointers_to(plan.argv);
  std::vector<char*> environment;
  if (plan.environment) environment = pointers_to(*plan.environment);
  const int error =
      ::posix_spawnp(&child.pid, argv.front(), actions.actions(), actions.attributes(), argv.data(),
                     plan.environment ? environment.data() : environ);
  if (error != 0) {
    const std::string where = plan.directory.empty() ? "" : " in " + plan.directory;
    throw std::system_error{error, std::generic_category(), "start " + plan.argv.front() + where};
  }
  return child;
}

std::string command_text(const std::vector<std::string>& argv) {
  std::string text;
  for (const std::string& word : argv) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

}  // namespace weft
