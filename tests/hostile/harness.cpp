// Runs one program, an example whose main() was renamed, many times, each time in a process of its
// own and under one attack.
//
//   hostile_NAME [--rows all|surroundings|ROW] [--except ROW]... [--points N] [--at K] [--server]
//                [--prints SOURCE] [--verbose]
//
// The program may end by itself, with any status, or with an exception. Findings are: a signal (an
// abort, a crash), a hang, events or coroutines left behind, a file left behind after an attack,
// and a success without an error message and without the lines that the source promises.

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.hpp"
#include "visitor.hpp"

namespace {

using namespace weft_hostile;

struct Arguments {
  std::string rows = "all";
  std::vector<std::string> except;
  std::uint64_t points = 0;
  std::uint64_t at = 0;
  std::string prints;   // the source that promises the output
  bool server = false;  // the program takes a --port, and serves until a signal ends it
  bool verbose = false;
};

Arguments parse(int argc, char** argv) {
  Arguments given;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    const auto value = [&]() -> const char* {
      if (++i < argc) return argv[i];
      std::fprintf(stderr, "%s needs a value\n", argv[i - 1]);
      std::exit(2);
    };
    if (option == "--rows") {
      given.rows = value();
    } else if (option == "--except") {
      given.except.emplace_back(value());
    } else if (option == "--points") {
      given.points = std::strtoull(value(), nullptr, 10);
    } else if (option == "--at") {
      given.at = std::strtoull(value(), nullptr, 10);
    } else if (option == "--prints") {
      given.prints = value();
    } else if (option == "--server") {
      given.server = true;
    } else if (option == "--verbose") {
      given.verbose = true;
    } else {
      std::printf(
          "usage: %s [--rows all|surroundings|ROW] [--except ROW]... [--points N] [--at K] "
          "[--server] [--prints SOURCE] [--verbose]\n",
          argv[0]);
      std::exit(option == "--help" ? 0 : 2);
    }
  }
  return given;
}

/// The temporary directory of the programs: emptied before each run, removed at the end.
class Playground {
 public:
  Playground() {
    if (::mkdtemp(path_.data()) == nullptr || ::chmod(path_.c_str(), 01777) != 0) std::exit(2);
    ::setenv("TMPDIR", path_.c_str(), 1);
  }
  ~Playground() { remove(path_); }
  Playground(const Playground&) = delete;
  Playground& operator=(const Playground&) = delete;

  /// Empties the directory; returns the name of a file that was in it, if there was one.
  std::string clear() {
    std::string name;
    for (const auto& entry : std::filesystem::directory_iterator{path_}) {
      name = entry.path().filename();
      remove(entry.path());
    }
    return name;
  }

 private:
  static void remove(const std::filesystem::path& path) {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string path_ = std::filesystem::temp_directory_path() / "weft-hostile-XXXXXX";
};

class Harness {
 public:
  Harness(const Arguments& given, ProgramReport& program_report)
      : given_{given}, report_{program_report}, promised_{promised_lines(given.prints)} {}

  /// Runs the program at all selected points of the row.
  void run(const Row& row);
  [[nodiscard]] int report() const {
    std::printf("%llu passed, %llu failed\n", passed_, failed_);
    return failed_ == 0 ? 0 : 1;
  }

 private:
  std::vector<std::uint64_t> points_of(const Row& row);
  std::string run_once(const Row& row, std::uint64_t point, bool verbose);
  std::string verdict(int status) const;
  std::string broken_promise(const Row& row) const;

  const Arguments& given_;
  ProgramReport& report_;
  std::vector<std::string> promised_;
  Output output_;
  Playground playground_;
  unsigned long long passed_ = 0;
  unsigned long long failed_ = 0;
};

/// Describes the end of a run; empty if it is allowed.
std::string Harness::verdict(int status) const {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    if (number == SIGALRM) return "it hangs";
    return std::string{"it was ended by "} + ::strsignal(number);
  }
  switch (WEXITSTATUS(status)) {
    case leaked:
      return report_.text;
    case child_went_wrong:
      return "the child of its fork went wrong";
    case not_possible:
      return "the surroundings could not be made";
    default:
      return {};
  }
}

/// Describes a success without the promised lines; empty otherwise. A shutdown or a cancelled main
/// may end a program early.
std::string Harness::broken_promise(const Row& row) const {
  if (row.attack == Attack::shutdown || row.attack == Attack::cancel) return {};
  if (!report_.succeeded || row.is_mute || row.threads > 1 || !output_.errors().empty()) return {};
  const std::string line = missing_line(promised_, output_.printed());
  return line.empty() ? line : "it succeeds, but does not print: " + line;
}

std::string Harness::run_once(const Row& row, std::uint64_t point, bool verbose) {
  report_ = ProgramReport{};
  output_.clear();
  std::vector<std::string> arguments{"example"};
  const std::uint16_t port = given_.server ? free_port() : std::uint16_t{0};
  if (given_.server) arguments.insert(arguments.end(), {"--port", std::to_string(port)});
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    if (given_.server) expect_visitor();
    run_program(row, point, arguments, verbose ? nullptr : &output_, report_);
  }
  const pid_t visitor = given_.server ? send_visitor(port, child) : -1;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (visitor > 0) {
    ::kill(visitor, SIGKILL);
    ::waitpid(visitor, nullptr, 0);
  }
  const std::string file = playground_.clear();
  std::string wrong = verdict(status);
  if (wrong.empty() && row.attack != Attack::none && row.enter == nullptr && !file.empty()) {
    wrong = "it left " + file + " in the directory for temporary files";
  }
  if (wrong.empty() && !verbose) wrong = broken_promise(row);
  return wrong;
}

/// `most` numbers from 1 to `last`, including both; all numbers if `most` is 0.
std::vector<std::uint64_t> spread(std::uint64_t last, std::uint64_t most) {
  std::vector<std::uint64_t> points;
  const std::uint64_t count = most == 0 ? last : std::min(last, most);
  for (std::uint64_t i = 0; i < count; ++i) {
    points.push_back(count == 1 ? 1 : 1 + i * (last - 1) / (count - 1));
  }
  return points;
}

/// The points of a row, whose number is counted in an undisturbed run.
std::vector<std::uint64_t> Harness::points_of(const Row& row) {
  if (given_.at != 0) return {given_.at};
  if (!row.has_points()) return {0};
  const Row undisturbed{.name = "count", .allocations = true};
  const std::string wrong = run_once(undisturbed, 0, false);
  if (!wrong.empty()) {
    std::printf("FAILED undisturbed: %s\n", wrong.c_str());
    ++failed_;
    return {};
  }
  return spread(row.allocations ? report_.allocations : report_.suspensions, given_.points);
}

void Harness::run(const Row& row) {
  for (const std::uint64_t number : points_of(row)) {
    const auto point = static_cast<unsigned long long>(number);
    const std::string wrong = run_once(row, number, given_.verbose);
    if (given_.verbose) std::printf("%s %llu: %s\n", row.name.c_str(), point, report_.text);
    if (wrong.empty()) {
      ++passed_;
    } else {
      ++failed_;
      std::printf("FAILED --rows %s --at %llu: %s\n", row.name.c_str(), point, wrong.c_str());
    }
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments given = parse(argc, argv);
  void* const shared = ::mmap(nullptr, sizeof(ProgramReport), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 2;
  Harness harness{given, *new (shared) ProgramReport{}};
  for (const Row& row : all_rows()) {
    const bool is_surroundings = row.threads > 1 || !row.has_points();
    const bool chosen = given.rows == "all" || given.rows == row.name ||
                        (given.rows == "surroundings" && is_surroundings);
    const bool left_out =
        std::find(given.except.begin(), given.except.end(), row.name) != given.except.end();
    if (chosen && !left_out) harness.run(row);
  }
  return harness.report();
}
