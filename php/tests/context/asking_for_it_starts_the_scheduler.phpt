--TEST--
Asking for a context makes main a coroutine
--FILE--
<?php
try { Async\current_coroutine(); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
Async\current_context();
var_dump(Async\current_coroutine()->isRunning());
?>
--EXPECT--
The current coroutine is not defined
bool(true)
