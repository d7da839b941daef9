#pragma once

#include <string>
#include <string_view>

#include "weft/extend/exec_event.hpp"

namespace weft {

/// The kept part of a command's output, and the part that is passed on.
class ExecOutput {
 public:
  explicit ExecOutput(const ExecCommand& command) noexcept
      : mode_{command.mode}, limit_{command.max_output} {}

  /// Throws std::system_error if more would be kept than allowed.
  void add(std::string_view chunk);
  void add_errors(std::string_view chunk);
  /// No more output comes: completes the last line.
  void finish();

  [[nodiscard]] bool is_shown() const noexcept {
    return mode_ == ExecMode::show || mode_ == ExecMode::show_and_line;
  }
  std::string shown;  // not taken yet
  ExecResult result;

 private:
  void add_lines(std::string_view chunk);
  void end_line();
  void make_room(std::size_t present, std::size_t more) const;

  ExecMode mode_;
  std::size_t limit_;
  std::string line_;          // the present line, so far
  std::size_t in_lines_ = 0;  // bytes kept in lines
};

}  // namespace weft
