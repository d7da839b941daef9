#include "vm_state.hpp"

#include <cstring>
#include <utility>

#include "error_handler.hpp"

namespace weft_php {
namespace {

/// The size of the first page of a coroutine's VM stack; a power of two. More are added as needed.
constexpr size_t page_size = 4096;

/// The function of the frame at the bottom of each coroutine, as the engine has one for fibers.
zend_function bottom_function = [] {
  zend_function made = {};
  made.type = ZEND_INTERNAL_FUNCTION;
  return made;
}();
char context_kind;  // its address marks the fiber contexts of coroutines

/// Puts the output buffers in `with`, or none, in the place of those in use, and returns these.
zend_output_globals exchange_output(const zend_output_globals* with) noexcept {
  const zend_output_globals before = output_globals;
  if (with != nullptr) {
    zend_stack_destroy(&OG(handlers));  // empty, but with memory if there was a buffer
    output_globals = *with;
  } else {
    const int kept = OG(flags) & PHP_OUTPUT_IMPLICITFLUSH;
    php_output_activate();
    OG(flags) |= kept;
    OG(output_start_filename) = before.output_start_filename;
    OG(output_start_lineno) = before.output_start_lineno;
  }
  return before;
}

}  // namespace

zend_output_globals put_output_buffers_away() noexcept { return exchange_output(nullptr); }

void put_output_buffers_back(const zend_output_globals& buffers) {
  php_output_end_all();
  exchange_output(&buffers);
}

void VmState::begin() {
  context_ = {};
  context_.kind = &context_kind;
  context_.status = ZEND_FIBER_STATUS_INIT;
  zend_observer_fiber_init_notify(&context_);
  enter_context(&context_);
  EG(bailout) = nullptr;

  auto* const page = static_cast<zend_vm_stack>(emalloc(page_size));
  page->top = ZEND_VM_STACK_ELEMENTS(page);
  page->end = reinterpret_cast<zval*>(reinterpret_cast<char*>(page) + page_size);
  page->prev = nullptr;
  auto* const bottom = reinterpret_cast<zend_execute_data*>(page->top);
  std::memset(bottom, 0, ZEND_CALL_FRAME_SLOT * sizeof(zval));
  bottom->func = &bottom_function;
  EG(vm_stack) = page;
  EG(vm_stack_top) = page->top + ZEND_CALL_FRAME_SLOT;
  EG(vm_stack_end) = page->end;
  EG(vm_stack_page_size) = page_size;
  EG(current_execute_data) = bottom;

  EG(jit_trace_num) = 0;
  EG(error_reporting) = static_cast<int>(INI_INT("error_reporting"));
  if (EG(error_reporting) == 0 && INI_STR("error_reporting") == nullptr) {
    EG(error_reporting) = E_ALL;
  }
}

void VmState::end() noexcept {
  context_.status = ZEND_FIBER_STATUS_DEAD;
  enter_context(EG(main_fiber_context));
  zend_observer_fiber_destroy_notify(&context_);
  EG(current_execute_data) = nullptr;
  // A bailout may have left anything here.
  clear_unusual();
  while (zend_fiber_switch_blocked()) zend_fiber_switch_unblock();
  zend_vm_stack_destroy();
  EG(vm_stack) = nullptr;
  EG(bailout) = nullptr;
}

void VmState::clear_unusual() noexcept {
  EG(fake_scope) = nullptr;
  EG(error_handling) = EH_NORMAL;
  EG(exception_class) = nullptr;
  EG(exception) = nullptr;
  EG(prev_exception) = nullptr;
  EG(active_fiber) = nullptr;
}

void VmState::save_unusual() noexcept {
  unusual_ = true;
  rest_ = {};
  rest_.fake_scope = EG(fake_scope);
  rest_.error_handling = EG(error_handling);
  rest_.exception_class = EG(exception_class);
  rest_.exception = EG(exception);
  rest_.prev_exception = EG(prev_exception);
  rest_.opline_before_exception = EG(opline_before_exception);
  rest_.active_fiber = EG(active_fiber);
  clear_unusual();
  // Destructors block the switches of fibers by a counter that only these functions reach.
  for (; zend_fiber_switch_blocked(); ++rest_.switch_blocks) zend_fiber_switch_unblock();
  rest_.in_error_handler = is_in_error_handler();
  if (rest_.in_error_handler) rest_.error_handler = put_error_handler_back();
  swap_functions(rest_);
  rest_.has_output = OG(active) != nullptr;
  if (rest_.has_output) rest_.output = exchange_output(nullptr);
}

void VmState::load_unusual() noexcept {
  unusual_ = false;
  EG(fake_scope) = rest_.fake_scope;
  EG(error_handling) = rest_.error_handling;
  EG(exception_class) = rest_.exception_class;
  EG(exception) = rest_.exception;
  EG(prev_exception) = rest_.prev_exception;
  EG(opline_before_exception) = rest_.opline_before_exception;
  EG(active_fiber) = rest_.active_fiber;
  for (; rest_.switch_blocks > 0; --rest_.switch_blocks) zend_fiber_switch_block();
  if (rest_.in_error_handler) unset_error_handler(rest_.error_handler);
  swap_functions(rest_);
  if (rest_.has_output) exchange_output(&rest_.output);
}

void VmState::swap_functions(Unusual& with) noexcept {
  std::swap(with.user_compare_fci, BG(user_compare_fci));
  std::swap(with.user_compare_fci_cache, BG(user_compare_fci_cache));
  std::swap(with.serialize_lock, BG(serialize_lock));
  std::swap(with.serialize, BG(serialize));
  std::swap(with.unserialize, BG(unserialize));
  std::swap(with.user_stream_current_filename, FG(user_stream_current_filename));
  std::swap(with.pclose_ret, FG(pclose_ret));
  std::swap(with.pclose_wait, FG(pclose_wait));
  std::swap(with.in_user_include, PG(in_user_include));
}

}  // namespace weft_php
