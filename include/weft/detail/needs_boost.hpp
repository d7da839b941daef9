#pragma once

#include "weft/detail/abi.hpp"

// Stops the compiler with one sentence where the adapters lack Boost, as abi.hpp does. clang-format
// puts it, too, before all other headers.

#if !__has_include(<boost/version.hpp>)
#error "weft/asio.hpp and tls.hpp need Boost 1.81 or newer: install it (Debian: libboost1.81-dev)"
#include <weft_stops_here>
#else
#include <boost/version.hpp>
#if BOOST_VERSION < 108100
#error "weft/asio.hpp and tls.hpp need Boost 1.81 or newer: install a newer one"
#include <weft_stops_here>
#endif
#endif
