#pragma once

#include <utility>

#include "descriptors.hpp"
#include "weft/extend/io.hpp"

namespace weft_test {

/// An Io on one end of a pair of sockets, a raw descriptor on the other.
struct Half {
  weft::Ref<weft::Io> io;
  OwnDescriptor there;

  static Half sockets() {
    Ends ends = Ends::sockets();
    return {weft::Io::adopt(ends.here.release()), std::move(ends.there)};
  }
};

}  // namespace weft_test
