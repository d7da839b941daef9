--TEST--
A channel that holds itself is closed before it is dropped
--FILE--
<?php
$ch = new Async\Channel(1);
$ch->send($ch);
$weak = WeakReference::create($ch);
$ch->close();
unset($ch);
$weak->get()?->recv();
var_dump($weak->get());
?>
--EXPECT--
NULL
