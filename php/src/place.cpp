#include "place.hpp"

#include "request.hpp"

namespace weft_php {

weft::Place place_here() noexcept {
  const zend_execute_data* frame = EG(current_execute_data);
  while (frame != nullptr && (frame->func == nullptr || !ZEND_USER_CODE(frame->func->type))) {
    frame = frame->prev_execute_data;
  }
  if (frame == nullptr || request == nullptr) return {};
  return weft::Place{request->files.keep(frame->func->op_array.filename), frame->opline->lineno};
}

void file_and_line(weft::Place place, zval* result) {
  array_init_size(result, 2);
  if (place.line == 0) {
    add_next_index_null(result);
  } else {
    add_next_index_string(result, place.file);
  }
  add_next_index_long(result, place.line);
}

void location(weft::Place place, zval* result) {
  if (place.line == 0) {
    ZVAL_STRING(result, "unknown");
  } else {
    ZVAL_STR(result, zend_strpprintf(0, "%s:%u", place.file, place.line));
  }
}

}  // namespace weft_php
