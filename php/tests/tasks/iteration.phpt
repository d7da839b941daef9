--TEST--
foreach gives key => [result, error] in the order of spawning
--FILE--
<?php
$g = new Async\TaskGroup;
$g->spawn(function () { Async\delay(2); return 'slow'; });
$g->spawnWithKey('bad', fn () => throw new Exception('error'));
$g->close();
foreach ($g as $key => [$result, $error]) echo $key, ': ', json_encode($result), ' ', $error?->getMessage(), "\n";
?>
--EXPECT--
0: "slow" 
bad: null error
