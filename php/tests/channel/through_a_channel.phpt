--TEST--
A channel can be sent through a channel
--FILE--
<?php
use function Async\spawn;
$requests = new Async\Channel;
spawn(function () use ($requests) { foreach ($requests as [$number, $reply]) $reply->send($number * 2); });
foreach ([1, 2] as $number) { $reply = new Async\Channel; $requests->send([$number, $reply]); echo $reply->recv(), "\n"; }
$requests->close();
?>
--EXPECT--
2
4
