--TEST--
The constructor refuses numbers that are too large
--FILE--
<?php
require __DIR__ . '/../says.inc';
says(fn () => new Async\Channel(2147483648));
says(fn () => new Async\Channel(0, 2147483648));
says(fn () => new Async\Channel(0, 0, 2147483648));
?>
--EXPECT--
ValueError: Async\Channel::__construct(): Argument #1 ($capacity) must be between 0 and 2147483647
ValueError: Async\Channel::__construct(): Argument #2 ($noProducerTimeout) must be between 0 and 2147483647
ValueError: Async\Channel::__construct(): Argument #3 ($noConsumerTimeout) must be between 0 and 2147483647
