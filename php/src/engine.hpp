#pragma once

// The headers of the engine. Its macros must not reach those of weft: include weft's headers first.

#include "weft/extend/host.hpp"
#include "weft/weft.hpp"

extern "C" {
#include "SAPI.h"
#include "ext/standard/basic_functions.h"
#include "ext/standard/file.h"
#include "ext/standard/info.h"
#include "php.h"
#include "zend_builtin_functions.h"
#include "zend_closures.h"
#include "zend_enum.h"
#include "zend_exceptions.h"
#include "zend_fibers.h"
#include "zend_interfaces.h"
#include "zend_observer.h"
}

#ifdef ZTS
#error "weft is a single-threaded runtime: build it for a PHP without ZTS"
#endif
