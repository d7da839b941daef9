--TEST--
Errors that await_all() collected are not reported again
--FILE--
<?php
use function Async\{spawn, suspend, await_all};
$c = spawn(fn () => throw new Exception('collected'));
[, $errors] = await_all([$c]);
unset($c);
suspend();
echo $errors[0]->getMessage(), "\n";
?>
--EXPECT--
collected
