#include "scheduler/token_error.hpp"

#include <utility>

#include "base/exception_type.hpp"
#include "weft/error.hpp"

namespace weft {

void throw_token_error(std::exception_ptr error) {
  if (holds<TimedOut>(error)) {
    throw TimedOut{"Operation has been cancelled by timeout", std::move(error)};
  }
  throw OperationCancelled{"Operation has been cancelled", std::move(error)};
}

}  // namespace weft
