#include "weft/detail/buffered_reader.hpp"

#include <cerrno>

#include "io/io_error.hpp"

namespace weft::detail {

void BufferedReader::throw_ended(const std::string& name, std::size_t got, std::size_t wanted) {
  throw_io_error(ENODATA, "read from " + name + ": it ended after " + std::to_string(got) + " of " +
                              std::to_string(wanted) + " bytes");
}

void BufferedReader::throw_line_too_long(const std::string& name) const {
  throw_io_error(EMSGSIZE, "read a line from " + name + ": it is longer than " +
                               std::to_string(line_limit_) + " bytes");
}

}  // namespace weft::detail
