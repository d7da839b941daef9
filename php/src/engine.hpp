#pragma once

// The headers of the engine. Its macros must not reach those of weft: include weft's headers first.

#include "weft/weft.hpp"
#include "weft/extend/host.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
extern "C" {
#include "php.h"
#include "SAPI.h"
#include "ext/standard/basic_functions.h"
#include "ext/standard/file.h"
#include "ext/standard/info.h"
#include "zend_builtin_functions.h"
#include "zend_closures.h"
#include "zend_enum.h"
#include "zend_exceptions.h"
#include "zend_fibers.h"
#include "zend_interfaces.h"
#include "zend_observer.h"
}
#pragma GCC diagnostic pop

#ifdef ZTS
#error "weft is a single-threaded runtime: build it for a PHP without ZTS"
#endif

// The words of php.h that C++ needs for itself.
#undef ERROR
