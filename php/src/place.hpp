#pragma once

#include "request.hpp"

namespace weft_php {

/// The line of PHP code that runs now; empty if there is none. Valid as long as the request.
[[nodiscard]] inline weft::Place place_here() noexcept {
  const zend_execute_data* frame = EG(current_execute_data);
  while (frame != nullptr && (frame->func == nullptr || !ZEND_USER_CODE(frame->func->type))) {
    frame = frame->prev_execute_data;
  }
  if (frame == nullptr || request == nullptr) return {};
  return weft::Place{request->files.keep(frame->func->op_array.filename), frame->opline->lineno};
}
/// `[file, line]` as PHP sees it; `[null, 0]` for no place.
void file_and_line(weft::Place place, zval* result);
/// "file:line", or "unknown".
void location(weft::Place place, zval* result);

}  // namespace weft_php
