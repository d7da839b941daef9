#include "weft/pipe.hpp"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include "io/io_error.hpp"

namespace weft {

Pipe Pipe::adopt(int descriptor) { return Pipe{Io::adopt(descriptor)}; }

std::pair<Pipe, Pipe> Pipe::create() {
  int both[2] = {-1, -1};
  if (::pipe2(both, O_CLOEXEC | O_NONBLOCK) != 0) throw_io_error(errno, "make a pipe");
  return {Pipe{Io::adopt(both[0], Io::Type::pipe, Io::readable)},
          Pipe{Io::adopt(both[1], Io::Type::pipe, Io::writable)}};
}

Stream standard_input() { return Stream{Io::standard(STDIN_FILENO)}; }
Stream standard_output() { return Stream{Io::standard(STDOUT_FILENO)}; }
Stream standard_error() { return Stream{Io::standard(STDERR_FILENO)}; }

}  // namespace weft
