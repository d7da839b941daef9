--TEST--
A future throws the error that its state was given
--FILE--
<?php
$state = new Async\FutureState;
$future = new Async\Future($state);
$state->error(new DomainException('bad'));
try { $future->await(); } catch (DomainException $e) { echo $e->getMessage(), "\n"; }
try { $state->error(new stdClass); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
bad
Async\FutureState::error(): Argument #1 ($throwable) must be of type Throwable, stdClass given
