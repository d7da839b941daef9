--TEST--
A cancellation passes through a chain like another failure
--FILE--
<?php
$future = new Async\Future($state = new Async\FutureState);
$caught = $future->map(fn () => print("never\n"))->finally(fn ($e) => print(get_class($e) . "\n"))->catch(fn ($e) => $e->getMessage());
$future->cancel();
var_dump($caught->await());
?>
--EXPECT--
Async\AsyncCancellation
string(25) "Future has been cancelled"
