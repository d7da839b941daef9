--TEST--
Without a thread-safe build threads say so
--FILE--
<?php
foreach ([fn () => Async\spawn_thread(fn () => 1), fn () => new Async\ThreadPool(2), fn () => new Async\ThreadChannel(2)] as $f) {
    try { $f(); } catch (Exception $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
}
try { new Async\Thread; } catch (Error $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
Async\AsyncException: spawn_thread() requires a Thread-Safe (ZTS) PHP build
Async\ThreadPoolException: ThreadPool requires a Thread-Safe (ZTS) PHP build
Async\AsyncException: ThreadChannel requires a Thread-Safe (ZTS) PHP build
Call to private Async\Thread::__construct() from global scope
