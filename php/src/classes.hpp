#pragma once

#include "engine.hpp"

// Every class of the extension: ce_Async_Coroutine and so on.
#include "class_entries.hpp"

namespace weft_php {

// Called once each, when all classes are registered: say how their objects are made.
void set_up_coroutine();
void set_up_scope();
void set_up_context();
void set_up_future();
void set_up_channel();
void set_up_timeout();
void set_up_task_group();
void set_up_task_set();
void set_up_pool();
void set_up_watcher();
void set_up_cpu();

/// Lets pcntl_signal() and signal() be used for the same signal. Call it once, after all extensions
/// were loaded.
void listen_beside_pcntl();

/// CompositeException::addException().
void add_to_composite(zend_object* composite, zval* exception);

}  // namespace weft_php
