#include "classes.hpp"

// Threads need a PHP that is built for them. Without one the classes exist, so that programs can
// ask for them, and refuse to be used.

namespace {

void refuse_thread() {
  zend_throw_exception(ce_Async_AsyncException,
                       "spawn_thread() requires a Thread-Safe (ZTS) PHP build", 0);
}

void refuse_channel() {
  zend_throw_exception(ce_Async_AsyncException,
                       "ThreadChannel requires a Thread-Safe (ZTS) PHP build", 0);
}

void refuse_pool() {
  zend_throw_exception(ce_Async_ThreadPoolException,
                       "ThreadPool requires a Thread-Safe (ZTS) PHP build", 0);
}

}  // namespace

ZEND_FUNCTION(Async_spawn_thread) { refuse_thread(); }

ZEND_METHOD(Async_Thread, __construct) { refuse_thread(); }
ZEND_METHOD(Async_Thread, isRunning) { refuse_thread(); }
ZEND_METHOD(Async_Thread, isCompleted) { refuse_thread(); }
ZEND_METHOD(Async_Thread, isCancelled) { refuse_thread(); }
ZEND_METHOD(Async_Thread, getResult) { refuse_thread(); }
ZEND_METHOD(Async_Thread, getException) { refuse_thread(); }
ZEND_METHOD(Async_Thread, cancel) { refuse_thread(); }
ZEND_METHOD(Async_Thread, finally) { refuse_thread(); }

ZEND_METHOD(Async_ThreadChannel, __construct) { refuse_channel(); }
ZEND_METHOD(Async_ThreadChannel, send) { refuse_channel(); }
ZEND_METHOD(Async_ThreadChannel, recv) { refuse_channel(); }
ZEND_METHOD(Async_ThreadChannel, close) { refuse_channel(); }
ZEND_METHOD(Async_ThreadChannel, isClosed) { refuse_channel(); }
ZEND_METHOD(Async_ThreadChannel, capacity) { refuse_channel(); }
ZEND_METHOD(Async_ThreadChannel, count) { refuse_channel(); }
ZEND_METHOD(Async_ThreadChannel, isEmpty) { refuse_channel(); }
ZEND_METHOD(Async_ThreadChannel, isFull) { refuse_channel(); }

ZEND_METHOD(Async_ThreadPool, __construct) { refuse_pool(); }
ZEND_METHOD(Async_ThreadPool, submit) { refuse_pool(); }
ZEND_METHOD(Async_ThreadPool, map) { refuse_pool(); }
ZEND_METHOD(Async_ThreadPool, close) { refuse_pool(); }
ZEND_METHOD(Async_ThreadPool, cancel) { refuse_pool(); }
ZEND_METHOD(Async_ThreadPool, isClosed) { refuse_pool(); }
ZEND_METHOD(Async_ThreadPool, getPendingCount) { refuse_pool(); }
ZEND_METHOD(Async_ThreadPool, getRunningCount) { refuse_pool(); }
ZEND_METHOD(Async_ThreadPool, getCompletedCount) { refuse_pool(); }
ZEND_METHOD(Async_ThreadPool, getWorkerCount) { refuse_pool(); }
ZEND_METHOD(Async_ThreadPool, reload) { refuse_pool(); }
