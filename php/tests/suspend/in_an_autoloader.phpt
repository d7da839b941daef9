--TEST--
An autoloader may suspend
--FILE--
<?php
use function Async\{spawn, suspend, await};
spl_autoload_register(function ($class) { suspend(); eval("class $class { const OK = 'loaded'; }"); });
$c = spawn(fn () => Wanted::OK);
spawn(fn () => print("other\n"));
echo await($c), "\n";
?>
--EXPECT--
other
loaded
