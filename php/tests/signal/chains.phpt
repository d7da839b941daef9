--TEST--
map() on the future of a signal runs when the signal comes
--FILE--
<?php
use Async\Signal;
use function Async\{await, signal};
$name = signal(Signal::SIGHUP)->map(fn (Signal $s) => strtolower($s->name));
exec('kill -HUP ' . getmypid());
echo await($name), "\n";
?>
--EXPECT--
sighup
