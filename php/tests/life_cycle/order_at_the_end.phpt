--TEST--
P-2: main, coroutines, shutdown functions and theirs, destructors and theirs
--FILE--
<?php
use function Async\{spawn, suspend};
class D { public function __destruct() { echo "destructor\n"; spawn(fn () => print("of the destructor\n")); } }
$d = new D;
register_shutdown_function(function () { echo "shutdown 1\n"; spawn(fn () => print("of shutdown 1\n")); });
spawn(function () { suspend(); echo "coroutine\n"; register_shutdown_function(fn () => print("shutdown 2\n")); });
echo "main\n";
?>
--EXPECT--
main
coroutine
shutdown 1
shutdown 2
of shutdown 1
destructor
of the destructor
