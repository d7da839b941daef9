--TEST--
Finally handlers run in their order, each to its end
--FILE--
<?php
use function Async\suspend;
$s = new Async\Scope;
$s->finally(function () { suspend(); echo "first\n"; });
$s->finally(function () { echo "second\n"; });
$s->cancel();
?>
--EXPECT--
first
second
