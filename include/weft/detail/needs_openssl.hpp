#pragma once

#include "weft/detail/abi.hpp"

// Stops the compiler with one sentence where the adapter for TLS lacks OpenSSL, as abi.hpp does.
// clang-format puts it, too, before all other headers.

#if !__has_include(<openssl/ssl.h>)
#error "weft/tls.hpp needs OpenSSL: install it (Debian: libssl-dev), and link it"
#include <weft_stops_here>
#endif
