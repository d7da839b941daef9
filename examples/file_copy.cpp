// Copies a file and shows how far it is.
//
// Worker threads read and write files; the coroutine that copies waits for them, and the others run
// meanwhile.

#include <cstdint>
#include <iostream>
#include <string>

#include "temporary_directory.hpp"
#include <weft/weft.hpp>

int main() {
  const TemporaryDirectory directory;
  weft::run([&] {
    const std::string from = directory.path() + "/from";
    const std::string to = directory.path() + "/to";
    {
      weft::File file = weft::File::open(from, weft::File::write | weft::File::create);
      for (int i = 0; i < 4; ++i) file.write_all(std::string(50'000, 'x'));
    }
    weft::File source = weft::File::open(from);
    weft::File target = weft::File::open(to, weft::File::write | weft::File::create);
    const std::uint64_t size = source.size();
    std::uint64_t shown = 0;
    const std::uint64_t copied = weft::copy(source, target, [&](std::uint64_t so_far) {
      const std::uint64_t quarter = so_far * 4 / size;
      if (quarter > shown) std::cout << (shown = quarter) * 25 << " %\n";
    });
    target.flush();
    std::cout << copied << " bytes, " << target.size() << " in the copy\n";
    try {
      weft::File missing = weft::File::open("/no/such/file");
    } catch (const std::system_error& error) {
      std::cout << error.what() << "\n";
    }
  });
}

// Prints:
//   25 %
//   50 %
//   75 %
//   100 %
//   200000 bytes, 200000 in the copy
//   open /no/such/file: No such file or directory
