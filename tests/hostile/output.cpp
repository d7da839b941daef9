#include "output.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <unistd.h>

namespace weft_hostile {
namespace {

int open_nameless() {
  std::string path = std::filesystem::temp_directory_path() / "weft-output-XXXXXX";
  const int file = ::mkstemp(path.data());
  if (file < 0) std::exit(2);
  ::unlink(path.c_str());
  ::fcntl(file, F_SETFD, FD_CLOEXEC);
  return file;
}

std::string text_of(int file) {
  std::string text;
  char buffer[4096];
  for (ssize_t size = 0;
       (size = ::pread(file, buffer, sizeof buffer, static_cast<off_t>(text.size()))) > 0;) {
    text.append(buffer, static_cast<std::size_t>(size));
  }
  return text;
}

}  // namespace

Output::Output() : printed_{open_nameless()}, errors_{open_nameless()} {}

Output::~Output() {
  ::close(printed_);
  ::close(errors_);
}

void Output::take_streams() const {
  const int null = ::open("/dev/null", O_RDWR);
  ::dup2(null, 0);
  ::dup2(printed_, 1);
  ::dup2(errors_, 2);
  for (const int file : {null, printed_, errors_}) {
    if (file > 2) ::close(file);
  }
}

void Output::clear() const {
  for (const int file : {printed_, errors_}) {
    if (::ftruncate(file, 0) != 0 || ::lseek(file, 0, SEEK_SET) != 0) std::exit(2);
  }
}

std::string Output::printed() const { return text_of(printed_); }

std::string Output::errors() const { return text_of(errors_); }

std::vector<std::string> promised_lines(const std::string& source) {
  std::vector<std::string> lines;
  std::ifstream file{source};
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (inside && line.starts_with("//   ")) lines.push_back(line.substr(5));
    inside = inside ? line.starts_with("//") : line == "// Prints:";
  }
  return lines;
}

std::string missing_line(const std::vector<std::string>& promised, const std::string& printed) {
  std::multiset<std::string> rest{promised.begin(), promised.end()};
  std::istringstream lines{printed};
  for (std::string line; std::getline(lines, line);) {
    const auto found = rest.find(line);
    if (found == rest.end()) return {};
    rest.erase(found);
  }
  for (const std::string& line : promised) {
    if (rest.contains(line)) return line;
  }
  return {};
}

}  // namespace weft_hostile
