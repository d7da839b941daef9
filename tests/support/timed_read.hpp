#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "descriptors.hpp"
#include "weft/extend/io.hpp"
#include "weft/weft.hpp"

// For tests in which a missed notification would make a read wait for ever.
namespace weft_test {

inline weft::Ref<weft::Io> adopt(OwnDescriptor& descriptor) {
  return weft::Io::adopt(descriptor.release());
}

/// The result of the next read: "(end)" at the end, "(nothing)" if no bytes arrive in time.
inline std::string timed_read(weft::Io& io, std::size_t most = 64) {
  std::string text(most, ' ');
  try {
    const std::size_t n = io.read_some(text, weft::timeout(std::chrono::seconds{1}));
    return n == 0 ? "(end)" : text.substr(0, n);
  } catch (const weft::TimedOut&) {
    return "(nothing)";
  }
}

}  // namespace weft_test
