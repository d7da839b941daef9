--TEST--
R-TGR-10: foreach over a set removes what it delivers
--FILE--
<?php
$s = new Async\TaskSet;
$s->spawnWithKey('a', fn () => 1);
$s->spawnWithKey('b', fn () => throw new Exception('error'));
$s->close();
foreach ($s as $key => [$result, $error]) echo $key, ' ', json_encode($result), ' ', $error?->getMessage(), ' ', count($s), "\n";
foreach ($s as $none) echo "never\n";
?>
--EXPECT--
a 1  1
b null error 0
