#include "process/exec_output.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

namespace weft {

void ExecOutput::make_room(std::size_t present, std::size_t more) const {
  if (more <= limit_ && present <= limit_ - more) return;
  throw std::system_error{ENOBUFS, std::generic_category(),
                          "keep more than " + std::to_string(limit_) +
                              " bytes of output of a command; max_output says how many"};
}

void ExecOutput::add(std::string_view chunk) {
  if (is_shown()) shown.append(chunk);
  switch (mode_) {
    case ExecMode::whole:
      make_room(result.output.size(), chunk.size());
      result.output.append(chunk);
      return;
    case ExecMode::show:
      return;
    case ExecMode::last_line:
    case ExecMode::lines:
    case ExecMode::show_and_line:
      return add_lines(chunk);
  }
}

void ExecOutput::add_errors(std::string_view chunk) {
  make_room(result.errors.size(), chunk.size());
  result.errors.append(chunk);
}

void ExecOutput::add_lines(std::string_view chunk) {
  while (!chunk.empty()) {
    const std::size_t end = chunk.find('\n');
    const std::string_view part = chunk.substr(0, end);
    make_room(in_lines_ + line_.size(), part.size());
    line_.append(part);
    if (end == std::string_view::npos) return;
    end_line();
    chunk.remove_prefix(end + 1);
  }
}

void ExecOutput::end_line() {
  const std::size_t last = line_.find_last_not_of(" \t\r\n\v\f");
  line_.resize(last == std::string::npos ? 0 : last + 1);
  if (mode_ == ExecMode::lines) {
    result.lines.push_back(line_);
    in_lines_ += line_.size() + sizeof(std::string);  // empty lines take memory too
  }
  result.output.swap(line_);
  line_.clear();
}

void ExecOutput::finish() {
  if (!line_.empty()) end_line();
}

}  // namespace weft
