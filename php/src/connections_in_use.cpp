#include "connections_in_use.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "boundary.hpp"
#include "classes.hpp"
#include "connection_identity.hpp"
#include "streams_in_use.hpp"

extern "C" {
#include "ext/pdo/php_pdo_driver.h"
#include "zend_extensions.h"
}

namespace weft_php {
namespace {

/// Extensions whose functions keep a connection between calls, or wait while they hold one.
constexpr std::array<std::string_view, 12> clients = {"curl",      "ftp",    "imap",    "ldap",
                                                      "memcached", "mysqli", "odbc",    "pdo",
                                                      "pgsql",     "redis",  "sqlite3", "ssh2"};
/// Functions that may be called meanwhile: they only read, or wait without using the handle.
constexpr std::array<std::string_view, 11> harmless = {"curl_multi_select",
                                                       "mysqli_escape_string",
                                                       "mysqli_real_escape_string",
                                                       "escape_string",
                                                       "real_escape_string",
                                                       "pg_escape_bytea",
                                                       "pg_escape_identifier",
                                                       "pg_escape_literal",
                                                       "pg_escape_string",
                                                       "pg_unescape_bytea",
                                                       "quote"};

bool is_harmless(const zend_string& name) {
  return std::ranges::find(harmless, std::string_view{name.val, name.len}) != harmless.end();
}

bool is_client(const zend_module_entry* module) {
  if (module == nullptr) return false;
  const std::string_view name = module->name;
  return std::ranges::any_of(clients, [&](std::string_view client) {
    return zend_binary_strcasecmp(name.data(), name.size(), client.data(), client.size()) == 0;
  });
}

bool is_curl(const zend_module_entry& module) { return std::string_view{module.name} == "curl"; }

struct Use {
  const CoroutineRecord* user;
  unsigned depth;
};
std::unordered_map<const void*, Use> uses;
int original_slot = -1;  // in zend_internal_function::reserved, of the replaced handler

/// The connections that one call uses, and the objects that must live until it returns.
class Call {
 public:
  explicit Call(zend_execute_data& frame) : frame_{frame} {
    if (Z_TYPE(frame.This) == IS_OBJECT) add(*Z_OBJ(frame.This));
    for (std::uint32_t i = 1; i <= ZEND_CALL_NUM_ARGS(&frame); ++i) {
      add_argument(ZEND_CALL_ARG(&frame, i), true);
    }
    if (!has_object_) add_key(implied_connection(frame));
    add_persistent();
  }

  /// Another coroutine that is in a call with one of them; null if there is none.
  [[nodiscard]] const CoroutineRecord* other_user() const {
    for (const void* const connection : connections_) {
      const auto found = uses.find(connection);
      if (found != uses.end() && found->second.user != request->current) return found->second.user;
    }
    return nullptr;
  }
  void begin() {
    for (const zend_long stream : streams_) (void)begin_hold(stream, Holds::open);
    for (const void* const connection : connections_) {
      ++uses.try_emplace(connection, Use{request->current, 0}).first->second.depth;
    }
    for (zend_object* const keeper : keepers_) GC_ADDREF(keeper);
  }
  void end() {
    for (const zend_long stream : streams_) end_hold(stream, Holds::open);
    for (const void* const connection : connections_) {
      const auto found = uses.find(connection);
      if (found != uses.end() && --found->second.depth == 0) uses.erase(found);
    }
    for (zend_object* const keeper : keepers_) OBJ_RELEASE(keeper);
  }

 private:
  void add_argument(zval* argument, bool look_inside) {
    ZVAL_DEREF(argument);
    if (Z_TYPE_P(argument) == IS_OBJECT) {
      add(*Z_OBJ_P(argument));
    } else if (Z_TYPE_P(argument) == IS_ARRAY && look_inside) {
      zval* element = nullptr;
      ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(argument), element) { add_argument(element, false); }
      ZEND_HASH_FOREACH_END();
    }
  }
  void add(zend_object& object) {
    const zend_class_entry* ce = object.ce;
    while (ce != nullptr && ce->type != ZEND_INTERNAL_CLASS) ce = ce->parent;
    if (ce == nullptr || !is_client(ce->info.internal.module)) return;
    has_object_ = true;
    add_key(connection_behind(object, *frame_.func));
    if (zend_object* const keeper = keeper_of_connection(object)) keepers_.push_back(keeper);
    if (is_curl(*ce->info.internal.module)) add_streams(object);
  }
  /// Those of CURLOPT_FILE and its relatives, also in the handles of a multi handle: curl goes on
  /// with their files.
  void add_streams(zend_object& object) {
    std::vector<zend_object*> handles;
    visit_references(object, [&](const zval& value) {
      if (Z_TYPE(value) == IS_RESOURCE) {
        streams_.push_back(static_cast<zend_long>(Z_RES_HANDLE(value)));
      } else if (Z_TYPE(value) == IS_OBJECT && Z_OBJCE(value)->type == ZEND_INTERNAL_CLASS &&
                 is_curl(*Z_OBJCE(value)->info.internal.module)) {
        handles.push_back(Z_OBJ(value));
      }
    });
    for (zend_object* const handle : handles) add_streams(*handle);
  }
  void add_key(const void* connection) {
    if (connection == nullptr) return;
    if (std::ranges::find(connections_, connection) == connections_.end()) {
      connections_.push_back(connection);
    }
  }
  /// The PDO constructor uses a persistent connection before any object owns it.
  void add_persistent() {
    if (frame_.func->common.scope == nullptr || ZEND_CALL_NUM_ARGS(&frame_) < 4) return;
    if (!zend_string_equals_literal(frame_.func->common.scope->name, "PDO") ||
        !zend_string_equals_literal(frame_.func->common.function_name, "__construct")) {
      return;
    }
    zval* const options = ZEND_CALL_ARG(&frame_, 4);
    if (Z_TYPE_P(options) != IS_ARRAY) return;
    zval* const name = zend_hash_index_find_deref(Z_ARRVAL_P(options), PDO_ATTR_PERSISTENT);
    if (name == nullptr) return;
    const auto text = [&](std::uint32_t i) {
      const zval* const argument = ZEND_CALL_ARG(&frame_, i);
      return Z_TYPE_P(argument) == IS_STRING ? Z_STRVAL_P(argument) : "";
    };
    const bool has_name =
        Z_TYPE_P(name) == IS_STRING && Z_STRLEN_P(name) > 0 &&
        is_numeric_string(Z_STRVAL_P(name), Z_STRLEN_P(name), nullptr, nullptr, false) == 0;
    std::string key = std::string{"PDO:DBH:DSN="} + text(1) + ":" + text(2) + ":" + text(3);
    if (has_name) key += std::string{":"} + Z_STRVAL_P(name);
    const auto* const entry = static_cast<const zend_resource*>(
        zend_hash_str_find_ptr(&EG(persistent_list), key.data(), key.size()));
    if (entry != nullptr) add_key(entry->ptr);
  }

  zend_execute_data& frame_;
  bool has_object_ = false;
  std::vector<const void*> connections_;
  std::vector<zend_object*> keepers_;
  std::vector<zend_long> streams_;
};

zif_handler original_of(const zend_function& function) {
  return reinterpret_cast<zif_handler>(function.internal_function.reserved[original_slot]);
}

/// False after a bailout, which the caller continues when the C++ objects of this frame are gone.
bool call_alone(INTERNAL_FUNCTION_PARAMETERS) {
  Call call{*execute_data};
  if (const CoroutineRecord* const other = call.other_user()) {
    throw_already_in_use(other->self()->handle);
    return true;
  }
  volatile bool bailed = false;
  call.begin();
  zend_try { original_of (*execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU); }
  zend_catch { bailed = true; }
  zend_end_try();
  call.end();
  if (!bailed) remember_connection(*execute_data->func, *return_value);
  return !bailed;
}

void call_in_turn(INTERNAL_FUNCTION_PARAMETERS) {
  if (request == nullptr) {
    original_of (*execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    remember_connection(*execute_data->func, *return_value);
    return;
  }
  if (!call_alone(INTERNAL_FUNCTION_PARAM_PASSTHRU)) zend_bailout();
}

void replace(zend_function& function) {
  if (function.type != ZEND_INTERNAL_FUNCTION) return;
  zend_internal_function& internal = function.internal_function;
  if (!is_client(internal.module) || internal.handler == call_in_turn ||
      is_harmless(*internal.function_name)) {
    return;
  }
  internal.reserved[original_slot] = reinterpret_cast<void*>(internal.handler);
  internal.handler = call_in_turn;
}

void replace_all(HashTable& functions) {
  zval* function = nullptr;
  ZEND_HASH_FOREACH_VAL(&functions, function) {
    replace(*static_cast<zend_function*>(Z_PTR_P(function)));
  }
  ZEND_HASH_FOREACH_END();
}

}  // namespace

void share_connections_in_turn() {
  original_slot = zend_get_resource_handle("weft");
  if (original_slot < 0) return;
  learn_classes_of_connections();
  replace_all(*CG(function_table));
  zval* ce = nullptr;
  ZEND_HASH_FOREACH_VAL(CG(class_table), ce) {
    replace_all(static_cast<zend_class_entry*>(Z_PTR_P(ce))->function_table);
  }
  ZEND_HASH_FOREACH_END();
}

void forget_uses_of_connections() noexcept { uses.clear(); }

}  // namespace weft_php
