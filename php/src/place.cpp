#include "place.hpp"

namespace weft_php {

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
