#pragma once

#include "engine.hpp"

// Objects of one connection, such as a link and its statements, have one identity: the structure
// that the extension frees when the connection is closed.
namespace weft_php {

/// Finds the classes of the extensions that are loaded.
void learn_classes_of_connections();
/// What `object` works on: the connection behind it, or the object itself. Null if it does not
/// touch a connection, as a result that was received whole.
[[nodiscard]] const void* connection_behind(zend_object& object, const zend_function& function);
/// What closes its connection when it is destroyed, though `object` goes on with that: the link of
/// a statement of mysqli. Null if there is none.
[[nodiscard]] zend_object* keeper_of_connection(zend_object& object);
/// The connection of a call without one, as pg_query("select 1") has it; null if there is none.
[[nodiscard]] const void* implied_connection(zend_execute_data& call);
/// `function` has returned `result`, which may be what implied_connection() finds from now on.
void remember_connection(const zend_function& function, const zval& result);

}  // namespace weft_php
