#include "weft/pipe.hpp"

#include <cerrno>
#include <unistd.h>

#include "base/system_calls.hpp"
#include "io/adopt_or_close.hpp"
#include "io/io_error.hpp"

namespace weft {

Pipe Pipe::adopt(int descriptor, std::string_view read_ahead) {
  return Pipe{adopt_with(read_ahead, descriptor)};
}

std::pair<Pipe, Pipe> Pipe::create() {
  int both[2] = {-1, -1};
  if (open_pipe(both, PipeEnds::do_not_block) != 0) throw_io_error(errno, "make a pipe");
  return adopt_both<Pipe>(both, Io::readable, Io::writable);
}

Stream standard_input() { return Stream{Io::standard(STDIN_FILENO)}; }
Stream standard_output() { return Stream{Io::standard(STDOUT_FILENO)}; }
Stream standard_error() { return Stream{Io::standard(STDERR_FILENO)}; }

}  // namespace weft
