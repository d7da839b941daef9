--TEST--
A generator is destroyed when a callback throws, and its finally block runs
--FILE--
<?php
use function Async\iterate;
function numbers() { try { for ($i = 1; ; ++$i) { echo "yields $i\n"; yield $i; } } finally { echo "generator ends\n"; } }
try { iterate(numbers(), fn ($x) => $x === 2 ? throw new DomainException('two') : null, 1); } catch (DomainException $e) { }
unset($e);
echo "caught\n";
?>
--EXPECT--
yields 1
yields 2
generator ends
caught
