--TEST--
Without a limit all callbacks run beside each other
--FILE--
<?php
$running = $most = 0;
Async\iterate(range(1, 10), function () use (&$running, &$most) { $most = max($most, ++$running); for ($i = 0; $i < 20; ++$i) Async\suspend(); --$running; });
var_dump($most);
?>
--EXPECT--
int(10)
