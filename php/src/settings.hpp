#pragma once

#include <string>

#include "engine.hpp"

namespace weft_php {

/// The settings of php.ini.
struct Settings {
  bool debug_deadlock = true;  // async.debug_deadlock
  zend_long stack_size = 0;    // weft.stack_size
  bool bridge = true;          // weft.bridge
  std::string leave_alone;     // weft.bridge_leave_alone
};
inline Settings settings;

}  // namespace weft_php
