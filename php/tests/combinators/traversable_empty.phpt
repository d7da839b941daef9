--TEST--
A Traversable without elements settles at once
--FILE--
<?php
use function Async\{await_any_or_fail, await_all_or_fail, await_all};
echo json_encode([await_all(new ArrayIterator([])), await_any_or_fail(new ArrayIterator([])), await_all_or_fail(new EmptyIterator)]), "\n";
?>
--EXPECT--
[[[],[]],null,[]]
