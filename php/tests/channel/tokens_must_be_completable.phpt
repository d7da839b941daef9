--TEST--
send() and recv() refuse a token that cannot complete
--FILE--
<?php
require __DIR__ . '/../says.inc';
$ch = new Async\Channel(1);
says(fn () => $ch->recv($ch));
says(fn () => $ch->send(1, new stdClass));
var_dump($ch->isEmpty());
?>
--EXPECT--
TypeError: Async\Channel::recv(): Argument #1 ($cancellationToken) must be of type ?Async\Completable, Async\Channel given
TypeError: Async\Channel::send(): Argument #2 ($cancellationToken) must be of type ?Async\Completable, stdClass given
bool(true)
