--TEST--
R-EXC-11: a fatal error ends all coroutines without their finally blocks; shutdown functions run
--SKIPIF--
<?php if (getenv('USE_ZEND_ALLOC') === '0') die('skip only the allocator of the engine has a limit'); ?>
--INI--
memory_limit=2M
--FILE--
<?php
use function Async\{spawn, delay};
register_shutdown_function(fn () => print("shutdown function\n"));
spawn(function () { try { delay(60000); } finally { echo "no finally\n"; } });
spawn(function () { $x = str_repeat('x', 8 << 20); });
try { delay(60000); } finally { echo "no finally of main\n"; }
?>
--EXPECTF--
Fatal error: Allowed memory size of 2097152 bytes exhausted%s in %s on line 5
shutdown function
