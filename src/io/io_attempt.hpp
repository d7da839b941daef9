#pragma once

#include <string>

#include "io/io_wait.hpp"
#include "weft/extend/io.hpp"

namespace weft {

template <class F>
[[gnu::always_inline]] inline decltype(auto) Io::attempt(const char* what, const char* call,
                                                         F operation) {
  const Ref<Io> keep{this};
  return naming_refusals(call, [&]() -> decltype(auto) {
    return naming_timeouts([&] { return std::string{what} + " " + name(); }, std::move(operation));
  });
}

}  // namespace weft
