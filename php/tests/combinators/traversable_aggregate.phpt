--TEST--
An IteratorAggregate gives triggers
--FILE--
<?php
use function Async\{spawn, await_all_or_fail};
class Jobs implements IteratorAggregate { public function getIterator(): Iterator { yield 'k' => spawn(fn () => 'v'); } }
echo json_encode(await_all_or_fail(new Jobs)), "\n";
?>
--EXPECT--
{"k":"v"}
