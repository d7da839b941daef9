--TEST--
suppressErrors() keeps the errors of a dropped group from being reported
--FILE--
<?php
$g = new Async\TaskGroup;
$g->spawn(fn () => throw new Exception('suppressed'));
$g->close();
$g->awaitCompletion();
$g->suppressErrors();
unset($g);
Async\suspend();
echo "end\n";
?>
--EXPECT--
end
