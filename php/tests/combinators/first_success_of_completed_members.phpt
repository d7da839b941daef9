--TEST--
A completed member answers at once, errors of completed members before it are given
--FILE--
<?php
use function Async\{spawn, suspend, await_first_success};
$bad = spawn(fn () => throw new Exception('bad'));
$good = spawn(fn () => 'good');
suspend();
[$value, $errors] = await_first_success([$bad, $good]);
echo $value, ' ', $errors[0]->getMessage(), "\n";
?>
--EXPECT--
good bad
