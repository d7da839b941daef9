--TEST--
The constructor refuses negative numbers
--FILE--
<?php
foreach ([[-1], [0, -1], [0, 0, -1]] as $arguments) {
    try { new Async\Channel(...$arguments); } catch (ValueError $e) { echo $e->getMessage(), "\n"; }
}
?>
--EXPECT--
Async\Channel::__construct(): Argument #1 ($capacity) must be between 0 and 2147483647
Async\Channel::__construct(): Argument #2 ($noProducerTimeout) must be between 0 and 2147483647
Async\Channel::__construct(): Argument #3 ($noConsumerTimeout) must be between 0 and 2147483647
