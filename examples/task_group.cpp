// Many tasks at once: a group runs them, so many at a time, and keeps what they end with; a set
// hands each result to one reader.

#include <chrono>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

int work(int i) {
  weft::delay(std::chrono::milliseconds{50 - 5 * i});
  return i * i;
}

void all_of_them() {
  weft::TaskGroup<int> group{{.concurrency = 4}};
  for (int i = 0; i < 10; ++i) group.spawn([i] { return work(i); });
  std::vector<int> results = weft::await(group.all());
  std::cout << "all: " << results.size() << " results, the last is " << results.back() << "\n";
}

std::string ask(const std::string& mirror) {
  if (mirror == "a") throw std::runtime_error{"mirror a is down"};
  weft::delay(mirror == "b" ? 5ms : 24h);
  return "the page from mirror " + mirror;
}

void the_first_that_works() {
  weft::TaskGroup<std::string> mirrors;
  for (const char* mirror : {"a", "b", "c"}) {
    mirrors.spawn_with_key(mirror, [mirror] { return ask(mirror); });
  }
  std::cout << "any: " << weft::await(mirrors.any()) << "\n";
}  // mirror c is cancelled here, and waited for

void each_with_its_outcome() {
  weft::TaskGroup<std::string> mirrors;
  for (const char* mirror : {"b", "a"}) {
    mirrors.spawn_with_key(mirror, [mirror] { return ask(mirror); });
  }
  mirrors.close();
  for (auto [key, outcome] : mirrors) {
    std::cout << key.text() << ": " << (outcome ? outcome.value() : weft::describe(outcome.error()))
              << "\n";
  }
}

void all_errors_together() {
  weft::TaskGroup<void> group;
  group.spawn([] { throw std::runtime_error{"no disk"}; });
  group.spawn([] { throw std::runtime_error{"no network"}; });
  try {
    weft::await(group.all());
  } catch (const weft::CompositeError& composite) {
    std::cout << "all: " << composite.errors().size() << " errors\n";
  }
}

void as_they_come() {
  weft::TaskSet<int> set;
  for (int i = 0; i < 3; ++i) set.spawn([i] { return work(i); });
  while (set.count() > 0) std::cout << "next: " << weft::await(set.join_next()) << "\n";
}

}  // namespace

int main() {
  weft::run([] {
    all_of_them();
    the_first_that_works();
    each_with_its_outcome();
    all_errors_together();
    as_they_come();
  });
}

// Prints:
//   all: 10 results, the last is 81
//   any: the page from mirror b
//   "b": the page from mirror b
//   "a": mirror a is down
//   all: 2 errors
//   next: 4
//   next: 1
//   next: 0
