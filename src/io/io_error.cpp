#include "io/io_error.hpp"

#include <system_error>

namespace weft {

void throw_io_error(int error, const std::string& what) {
  throw std::system_error{error, std::generic_category(), what};
}

std::exception_ptr stream_was_closed() noexcept {
  try {
    throw std::system_error{std::make_error_code(std::errc::operation_canceled),
                            "Stream was closed"};
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace weft
