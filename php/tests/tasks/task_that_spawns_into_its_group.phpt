--TEST--
A task may spawn into its own group
--FILE--
<?php
$g = new Async\TaskGroup;
$g->spawn(function () use ($g) { $g->spawn(fn () => 'second'); return 'first'; });
echo json_encode($g->all()->await()), "\n";
?>
--EXPECT--
["first","second"]
