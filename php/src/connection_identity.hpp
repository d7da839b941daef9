#pragma once

#include "engine.hpp"

// Objects of one connection, such as a link and its statements, have one identity: the structure
// that the extension frees when the connection is closed.
namespace weft_php {

/// Finds the classes of the extensions that are loaded.
void learn_classes_of_connections();
/// What `object` works on: the connection behind it, or the object itself. Null if it uses no
/// connection, such as a result that was received completely.
[[nodiscard]] const void* connection_behind(zend_object& object, const zend_function& function);
/// The object whose destruction closes the connection that `object` still uses: the link of a
/// statement or a result of mysqli. Null if there is none.
[[nodiscard]] zend_object* keeper_of_connection(zend_object& object);
/// The connection that a call uses without naming it, such as pg_query("select 1"); null if none.
[[nodiscard]] const void* implied_connection(zend_execute_data& call);
/// Call it when `function` has returned `result`: what pg_connect() returns is the connection that
/// implied_connection() finds from then on.
void remember_connection(const zend_function& function, const zval& result);

}  // namespace weft_php
