--TEST--
Members of different kinds are awaited together
--FILE--
<?php
use Async\{FutureState, Future};
use function Async\{spawn, await_all_or_fail};
$s = new FutureState;
spawn(fn () => $s->complete('future'));
echo json_encode(await_all_or_fail(['c' => spawn(fn () => 'coroutine'), 'f' => new Future($s)])), "\n";
?>
--EXPECT--
{"c":"coroutine","f":"future"}
