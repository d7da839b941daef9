#include <cstring>

#include "autoload.hpp"
#include "blocking_calls.hpp"
#include "boundary.hpp"
#include "cancellation_class.hpp"
#include "classes.hpp"
#include "connections_in_use.hpp"
#include "error_handler.hpp"
#include "life_cycle.hpp"
#include "no_suspension.hpp"
#include "pipe_timeouts.hpp"
#include "replaced_functions.hpp"
#include "settings.hpp"

// The module: its classes, functions and settings, and the life of a request.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wuseless-cast"

namespace {

zend_class_entry* class_named(const char* name) {
  return static_cast<zend_class_entry*>(
      zend_hash_str_find_ptr(CG(class_table), name, std::strlen(name)));
}

void declare_property(zend_class_entry* ce, const char* name, const char* type, std::uint32_t mask,
                      int flags) {
  zend_string* const key = zend_string_init(name, std::strlen(name), 1);
  zval none;
  ZVAL_UNDEF(&none);
  const zend_type declared =
      type != nullptr
          ? zend_type(ZEND_TYPE_INIT_CLASS(zend_string_init(type, std::strlen(type), 1), 0, mask))
          : zend_type(ZEND_TYPE_INIT_MASK(mask));
  zend_declare_typed_property(ce, key, &none, flags, nullptr, declared);
  zend_string_release(key);
}

}  // namespace

#include "arginfo.hpp"
#include "streams_in_use.hpp"
#include "user_streams.hpp"

using weft_php::request;

/// The first shutdown function: runs the coroutines after the main script, before the shutdown
/// functions of the user, and again after these.
ZEND_FUNCTION(weft_drain) {
  ZEND_PARSE_PARAMETERS_NONE();
  weft_php::run_at_the_end();
}

/// The exception handler of a main script that was cancelled.
ZEND_FUNCTION(weft_end_main) {
  zend_object* exception = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_OBJ_OF_CLASS(exception, zend_ce_throwable)
  ZEND_PARSE_PARAMETERS_END();
  weft_php::end_cancelled_main(*exception);
}

ZEND_BEGIN_ARG_INFO_EX(arginfo_weft_drain, 0, 0, 0)
ZEND_END_ARG_INFO()
ZEND_BEGIN_ARG_INFO_EX(arginfo_weft_end_main, 0, 0, 1)
ZEND_ARG_INFO(0, exception)
ZEND_END_ARG_INFO()
static const zend_function_entry hidden_functions[] = {
    ZEND_NS_RAW_FENTRY("weft", "drain", ZEND_FN(weft_drain), arginfo_weft_drain, 0)
        ZEND_NS_RAW_FENTRY("weft", "end_main", ZEND_FN(weft_end_main), arginfo_weft_end_main, 0)
            ZEND_FE_END};

static ZEND_INI_MH(set_debug_deadlock) {
  weft_php::settings.debug_deadlock = zend_ini_parse_bool(new_value);
  return SUCCESS;
}

static ZEND_INI_MH(set_stack_size) {
  zend_string* error = nullptr;
  const zend_long size = zend_ini_parse_quantity(new_value, &error);
  if (error != nullptr) zend_string_release(error);
  if (size < 16 * 1024) return FAILURE;
  weft_php::settings.stack_size = size;
  return SUCCESS;
}

static ZEND_INI_MH(set_bridge) {
  weft_php::settings.bridge = zend_ini_parse_bool(new_value);
  return SUCCESS;
}

static ZEND_INI_MH(set_leave_alone) {
  weft_php::settings.leave_alone = ZSTR_VAL(new_value);
  return SUCCESS;
}

static zend_result (*finish_startup)() = nullptr;  // the callback before ours

/// Called when all extensions were loaded.
static zend_result post_startup() {
  if (finish_startup != nullptr && finish_startup() != SUCCESS) return FAILURE;
  weft_php::guard_places_without_suspension();
  weft_php::bridge_blocking_calls();
  weft_php::replace_functions();
  weft_php::listen_beside_pcntl();
  weft_php::watch_error_handler();
  weft_php::watch_exception_handler();
  weft_php::close_streams_when_left();
  weft_php::read_user_streams_in_turn();
  weft_php::give_pipes_timeouts();
  weft_php::share_connections_in_turn();
  weft_php::wait_for_autoloaders();
  return SUCCESS;
}

PHP_INI_BEGIN()
PHP_INI_ENTRY("async.debug_deadlock", "1", PHP_INI_ALL, set_debug_deadlock)
PHP_INI_ENTRY("weft.bridge", "1", PHP_INI_SYSTEM, set_bridge)
PHP_INI_ENTRY("weft.bridge_leave_alone", "", PHP_INI_SYSTEM, set_leave_alone)
PHP_INI_ENTRY("weft.stack_size", "512K", PHP_INI_SYSTEM, set_stack_size)
PHP_INI_END()

static PHP_MINIT_FUNCTION(weft) {
  // The layout of the engine's globals differs between versions that share an API number.
  const zval* const version = zend_get_constant_str(ZEND_STRL("PHP_VERSION_ID"));
  if (version == nullptr || Z_LVAL_P(version) != PHP_VERSION_ID) {
    zend_error(E_CORE_WARNING, "weft was built for PHP %s: build it for this one", PHP_VERSION);
    return FAILURE;
  }
  REGISTER_INI_ENTRIES();
  register_classes();
  zend_register_functions(nullptr, hidden_functions, nullptr, MODULE_PERSISTENT);
  weft_php::make_cancellation_a_root();
  weft_php::set_up_coroutine();
  weft_php::set_up_scope();
  weft_php::set_up_context();
  weft_php::set_up_future();
  weft_php::set_up_channel();
  weft_php::set_up_timeout();
  weft_php::set_up_task_group();
  weft_php::set_up_task_set();
  weft_php::set_up_pool();
  weft_php::set_up_watcher();
  weft_php::set_up_cpu();
  weft_php::watch_exit();
  finish_startup = std::exchange(zend_post_startup_cb, post_startup);
  return SUCCESS;
}

static PHP_MSHUTDOWN_FUNCTION(weft) {
  UNREGISTER_INI_ENTRIES();
  weft_php::leave_blocking_calls();
  return SUCCESS;
}

static PHP_RINIT_FUNCTION(weft) {
  weft_php::begin_request();
  return SUCCESS;
}

static PHP_RSHUTDOWN_FUNCTION(weft) {
  weft_php::end_request();
  return SUCCESS;
}

static PHP_MINFO_FUNCTION(weft) {
  php_info_print_table_start();
  php_info_print_table_header(2, "weft", "enabled");
  php_info_print_table_row(2, "Version", WEFT_PHP_VERSION);
  php_info_print_table_row(2, "Built for PHP", PHP_VERSION);
  php_info_print_table_row(2, "Bridged calls", weft_php::bridged_calls().c_str());
  php_info_print_table_row(2, "Threads", "no: needs a thread-safe PHP");
  php_info_print_table_end();
  DISPLAY_INI_ENTRIES();
}

static zend_module_entry weft_module_entry = {STANDARD_MODULE_HEADER, "weft",
                                              all_functions,          PHP_MINIT(weft),
                                              PHP_MSHUTDOWN(weft),    PHP_RINIT(weft),
                                              PHP_RSHUTDOWN(weft),    PHP_MINFO(weft),
                                              WEFT_PHP_VERSION,       STANDARD_MODULE_PROPERTIES};

extern "C" __attribute__((visibility("default"))) zend_module_entry* get_module() {
  return &weft_module_entry;
}

#pragma GCC diagnostic pop
