#pragma once

#include "engine.hpp"

// The life of a request, as the engine goes through it.
namespace weft_php {

/// RINIT: registers the first shutdown function.
void begin_request();
/// The shutdown function: runs the coroutines to their end; called again after the user's
/// functions.
void run_at_the_end();
/// RSHUTDOWN: runs what destructors have spawned, and ends the runtime.
void end_request();
/// The main script was cancelled and has ended with `exception`: reports it, unless it is a
/// cancellation.
void end_cancelled_main(zend_object& exception);
/// After all extensions were loaded: scripts that change their exception handler do not see ours.
void watch_exception_handler();
/// MINIT: from now on `exit` in the main script is noted, for run_at_the_end().
void watch_exit();

}  // namespace weft_php
