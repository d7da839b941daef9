#include "weft/exec.hpp"

#include <cstdio>
#include <utility>

#include "io/io_wait.hpp"
#include "wait/await_as.hpp"
#include "weft/await.hpp"
#include "weft/extend/exec_event.hpp"

namespace weft {
namespace {

void pass_on_output(const std::string& text, const ExecOptions& options) {
  if (text.empty()) return;
  if (options.sink) return options.sink(text);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

/// Keeps the command running between waits.
class StartedEvent {
 public:
  explicit StartedEvent(ExecEvent& event) : event_{event} { event_.start(); }
  ~StartedEvent() { event_.stop(); }
  StartedEvent(const StartedEvent&) = delete;
  StartedEvent& operator=(const StartedEvent&) = delete;

 private:
  ExecEvent& event_;
};

}  // namespace

ExecResult exec(std::vector<std::string> argv, ExecOptions options, Token token, Place place) {
  expect_to_suspend("exec()");
  ExecEvent event{ExecCommand{.argv = std::move(argv),
                              .mode = options.mode,
                              .errors = std::move(options.stderr_),
                              .directory = std::move(options.directory),
                              .environment = std::move(options.environment),
                              .max_output = options.max_output,
                              .grace = options.grace,
                              .input = std::move(options.stdin_),
                              .output = std::move(options.stdout_),
                              .new_group = options.new_group}};
  const StartedEvent kept{event};
  while (!event.is_closed()) {
    // While the sink suspended, no wait was notified, and the command may be blocked on its pipe.
    const std::string shown = event.take_shown();
    if (shown.empty()) {
      naming_timeouts([&] { return event.info(); }, [&] { await(event, token, place); });
    } else {
      pass_on_output(shown, options);
    }
  }
  pass_on_output(event.take_shown(), options);
  return event.take_result();
}

ExecResult exec_shell(std::string command, ExecOptions options, Token token, Place place) {
  return exec({"/bin/sh", "-c", std::move(command)}, std::move(options), token, place);
}

}  // namespace weft
