--TEST--
awaitAfterCancellation() of a scope that has ended returns at once
--FILE--
<?php
$s = new Async\Scope;
$s->cancel();
$s->awaitAfterCancellation(fn () => print("never\n"));
echo "returned\n";
?>
--EXPECT--
returned
