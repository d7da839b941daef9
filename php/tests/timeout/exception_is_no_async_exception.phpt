--TEST--
A TimeoutException is an Exception, but neither AsyncException nor PoolException
--FILE--
<?php
use Async\{AsyncException, PoolException};
use function Async\{await, timeout};
try { await(timeout(1)); } catch (Exception $e) { var_dump($e instanceof AsyncException, $e instanceof PoolException); }
?>
--EXPECT--
bool(false)
bool(false)
