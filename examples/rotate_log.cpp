// A log that is begun anew when it is long, and of which the last few are kept.
//
// FileWriter collects lines and gives a worker thread large pieces; the functions of weft::fs do
// with paths what the calls of the system do, on a worker thread as well. Meanwhile the other
// coroutines run.

#include <iostream>
#include <string>

#include "temporary_directory.hpp"
#include <weft/weft.hpp>

namespace {

constexpr std::size_t longest = 4'000;

void rotate(const std::string& path) {
  if (weft::fs::try_stat(path + ".2")) weft::fs::unlink(path + ".2");
  if (weft::fs::try_stat(path + ".1")) weft::fs::rename(path + ".1", path + ".2");
  weft::fs::rename(path, path + ".1");
}

void write_log(const std::string& path, int from, int to) {
  weft::FileWriter log = weft::FileWriter::append(path);
  for (int i = from; i < to; ++i) log.write("line " + std::to_string(i) + "\n");
  log.close();  // throws if something could not be written
  if (weft::fs::stat(path).size > longest) rotate(path);
}

}  // namespace

int main() {
  const TemporaryDirectory directory;
  weft::run([&] {
    const std::string logs = directory.path() + "/logs";
    weft::fs::mkdir(logs);
    for (int day = 0; day < 5; ++day) write_log(logs + "/log", day * 500, (day + 1) * 500);
    for (const weft::fs::DirectoryEntry& entry : weft::fs::readdir(logs)) {
      weft::File file = weft::File::open(logs + "/" + entry.name);
      std::cout << entry.name << " begins with " << file.read_line().value_or("nothing") << "\n";
    }
  });
}

// Prints:
//   log.1 begins with line 2000
//   log.2 begins with line 1500
