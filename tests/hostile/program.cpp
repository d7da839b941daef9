#include "program.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <thread>
#include <unistd.h>

#include "allocations.hpp"
#include "weft/weft.hpp"

extern "C" int weft_example_main(int argc, char** argv);

namespace weft_hostile {
namespace {

constexpr unsigned seconds_to_live = 20;
constexpr const char* returned = "returned";

/// The counters that are not zero, as text.
std::string leftovers() {
  const weft::Stats stats = weft::stats();
  std::string text;
  const auto check = [&](std::size_t count, const char* name) {
    if (count != 0) text += " " + std::to_string(count) + " " + name;
  };
  check(stats.coroutines, "coroutines");
  check(stats.queued, "queued");
  check(stats.active_events, "active events");
  check(stats.armed_timers, "armed timers");
  return text;
}

/// How one call of main() ended.
struct Result {
  std::string text = returned;
  std::string left;  // behind, in words
};

/// Calls main() and counts its allocations, until its frames are unwound.
int call_counted(const std::vector<char*>& words, std::uint64_t failing) {
  struct Counting {
    explicit Counting(std::uint64_t failing) noexcept { count_allocations(failing); }
    ~Counting() { stop_counting_allocations(); }
    Counting(const Counting&) = delete;
    Counting& operator=(const Counting&) = delete;
  };
  const Counting counting{failing};
  return weft_example_main(static_cast<int>(words.size() - 1), const_cast<char**>(words.data()));
}

Result call_main(std::vector<std::string> words, std::uint64_t failing) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  Result result;
  bool reported = false;
  try {
    const int status = call_counted(pointers, failing);
    if (status != 0) result.text += " " + std::to_string(status);
  } catch (const weft::ShutdownError& error) {
    reported = true;  // the error names the coroutines that the shutdown left behind
    result.text = error.what();
  } catch (const std::exception& error) {
    result.text = error.what();
  } catch (const weft::Cancelled& cancelled) {
    result.text = cancelled.reason();
  } catch (...) {
    result.text = "an exception of an unknown type";
  }
  if (!reported) result.left = leftovers();
  return result;
}

/// Calls main() in `count` threads. Returns the result of a thread that has failed, if there is
/// one.
Result call_main_in_threads(unsigned count, const std::vector<std::string>& words) {
  std::vector<Result> results(count);
  {
    std::vector<std::jthread> threads;
    threads.reserve(count);
    for (Result& result : results) {
      threads.emplace_back([&result, &words] { result = call_main(words, 0); });
    }
  }
  Result all;
  for (const Result& result : results) {
    if (all.left.empty()) all.left = result.left;
    if (all.text == returned) all.text = result.text;
  }
  return all;
}

}  // namespace

void run_program(const Row& row, std::uint64_t point, const std::vector<std::string>& arguments,
                 const Output* output, ProgramReport& report) {
  ::alarm(seconds_to_live);
  if (output != nullptr) output->take_streams();
  Intruder intruder{row.attack, point};
  if (row.has_points()) let_in(intruder);
  if (row.enter != nullptr) row.enter();
  const Result result = row.threads > 1 ? call_main_in_threads(row.threads, arguments)
                                        : call_main(arguments, row.allocations ? point : 0);
  report.allocations = counted_allocations();
  report.suspensions = intruder.suspensions();
  const std::string text = result.left.empty() ? result.text : "left behind:" + result.left;
  std::strncpy(report.text, text.c_str(), sizeof report.text - 1);
  report.succeeded = result.text == returned;
  std::fflush(nullptr);
  std::_Exit(result.left.empty() ? 0 : leaked);
}

}  // namespace weft_hostile
