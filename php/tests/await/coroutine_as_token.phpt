--TEST--
A coroutine serves as a token; a completed one ends the wait at once
--FILE--
<?php
use function Async\{spawn, await, suspend};
$token = spawn(fn () => 1);
$slow = spawn(function () { for ($i = 0; $i < 5; ++$i) suspend(); return 'slow'; });
try {
    await($slow, $token);
} catch (Async\OperationCanceledException $e) {
    var_dump($e->getPrevious());
}
try {
    await($slow, $token);
} catch (Async\OperationCanceledException $e) {
    echo "again\n";
}
echo await($slow), "\n";
?>
--EXPECT--
NULL
again
slow
