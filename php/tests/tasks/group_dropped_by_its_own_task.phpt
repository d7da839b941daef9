--TEST--
A task may drop the last variable of its group
--FILE--
<?php
use function Async\suspend;
$done = new Async\Future($state = new Async\FutureState);
$g = new Async\TaskGroup;
$g->spawn(function () use (&$g, $state) { suspend(); $g = null; echo "dropped\n"; $state->complete(null); });
$done->await();
echo "end\n";
?>
--EXPECT--
dropped
end
