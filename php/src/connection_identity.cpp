#include "connection_identity.hpp"

#include <cstring>
#include <string_view>
#include <unordered_map>

extern "C" {
#include "ext/mysqli/php_mysqli_structs.h"
#include "ext/pdo/php_pdo_driver.h"
}

namespace weft_php {
namespace {

struct Classes {
  zend_class_entry* pg_link;
  zend_class_entry* pg_large_object;
  zend_class_entry* pg_result;
  zend_class_entry* mysqli;
  zend_class_entry* mysqli_stmt;
  zend_class_entry* mysqli_result;
  zend_class_entry* pdo;
  zend_class_entry* pdo_stmt;
} classes;

const void* default_pg_link = nullptr;
/// For each connection of mysqli, the handle of the mysqli object that was last used with it.
std::unordered_map<const void*, std::uint32_t> mysqli_links;

bool is_a(const zend_object& object, const zend_class_entry* ce) {
  return ce != nullptr && instanceof_function(object.ce, ce);
}

zend_class_entry* class_named(const char* name) {
  return static_cast<zend_class_entry*>(
      zend_hash_str_find_ptr(CG(class_table), name, std::strlen(name)));
}

std::string_view name_of(const zend_function& function) {
  const zend_string* const name = function.common.function_name;
  return name != nullptr ? std::string_view{ZSTR_VAL(name), ZSTR_LEN(name)} : std::string_view{};
}

bool connects(std::string_view name) { return name == "pg_connect" || name == "pg_pconnect"; }

/// Links, large objects and results of pgsql begin with their PGconn.
const void* pg_connection(const zend_object& object) {
  const char* const begin = reinterpret_cast<const char*>(&object) - object.handlers->offset;
  const void* connection = nullptr;
  std::memcpy(&connection, begin, sizeof connection);
  return connection;
}

const void* mysqli_connection(zend_object& object) {
  const auto* const resource =
      static_cast<const MYSQLI_RESOURCE*>(php_mysqli_fetch_object(&object)->ptr);
  if (resource == nullptr || resource->ptr == nullptr) return nullptr;
  if (is_a(object, classes.mysqli)) {
    const auto* const link = static_cast<const MY_MYSQL*>(resource->ptr);
    return link->mysql != nullptr ? link->mysql->data : nullptr;
  }
  if (is_a(object, classes.mysqli_stmt)) {
    const auto* const statement = static_cast<const MY_STMT*>(resource->ptr);
    const bool is_open = statement->stmt != nullptr && statement->stmt->data != nullptr;
    return is_open ? statement->stmt->data->conn : nullptr;
  }
  const auto* const result = static_cast<const MYSQLND_RES*>(resource->ptr);
  return result->unbuf != nullptr ? result->conn : nullptr;
}

}  // namespace

void learn_classes_of_connections() {
  classes = {.pg_link = class_named("pgsql\\connection"),
             .pg_large_object = class_named("pgsql\\lob"),
             .pg_result = class_named("pgsql\\result"),
             .mysqli = class_named("mysqli"),
             .mysqli_stmt = class_named("mysqli_stmt"),
             .mysqli_result = class_named("mysqli_result"),
             .pdo = class_named("pdo"),
             .pdo_stmt = class_named("pdostatement")};
}

const void* connection_behind(zend_object& object, const zend_function& function) {
  if (is_a(object, classes.pdo)) return php_pdo_dbh_fetch_inner(&object);
  if (is_a(object, classes.pdo_stmt)) return php_pdo_stmt_fetch_object(&object)->dbh;
  if (is_a(object, classes.pg_link) || is_a(object, classes.pg_large_object)) {
    return pg_connection(object);
  }
  if (is_a(object, classes.pg_result)) {
    // These two ask the server for a name.
    const std::string_view name = name_of(function);
    return name == "pg_field_table" || name == "pg_field_type" ? pg_connection(object) : nullptr;
  }
  if (is_a(object, classes.mysqli) || is_a(object, classes.mysqli_stmt) ||
      is_a(object, classes.mysqli_result)) {
    const void* const connection = mysqli_connection(object);
    if (connection != nullptr && is_a(object, classes.mysqli)) {
      mysqli_links[connection] = object.handle;
    }
    return connection;
  }
  return &object;
}

zend_object* keeper_of_connection(zend_object& object) {
  if (!is_a(object, classes.mysqli_stmt) && !is_a(object, classes.mysqli_result)) return nullptr;
  const void* const connection = mysqli_connection(object);
  const auto found = mysqli_links.find(connection);
  if (connection == nullptr || found == mysqli_links.end()) return nullptr;
  if (found->second >= EG(objects_store).top) return nullptr;
  zend_object* const link = EG(objects_store).object_buckets[found->second];
  const bool is_there =
      IS_OBJ_VALID(link) && is_a(*link, classes.mysqli) && mysqli_connection(*link) == connection;
  return is_there ? link : nullptr;
}

const void* implied_connection(zend_execute_data& call) {
  const std::string_view name = name_of(*call.func);
  return name.starts_with("pg_") && !connects(name) ? default_pg_link : nullptr;
}

void remember_connection(const zend_function& function, const zval& result) {
  if (Z_TYPE(result) == IS_OBJECT && connects(name_of(function)))
    default_pg_link = pg_connection(*Z_OBJ(result));
}

}  // namespace weft_php
