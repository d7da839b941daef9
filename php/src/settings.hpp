#pragma once

#include "engine.hpp"

namespace weft_php {

/// The settings of php.ini.
struct Settings {
  bool debug_deadlock = true;  // async.debug_deadlock
  zend_long stack_size = 0;    // weft.stack_size
};
inline Settings settings;

}  // namespace weft_php
