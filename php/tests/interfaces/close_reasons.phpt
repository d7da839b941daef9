--TEST--
The reasons why a channel closes, with their texts
--FILE--
<?php
use Async\ChannelCloseReason;
foreach (ChannelCloseReason::cases() as $case) echo $case->name, ' = ', $case->value, "\n";
?>
--EXPECT--
EXPLICIT = explicit
DISPOSED = disposed
NO_PRODUCERS = no producers timeout
NO_CONSUMERS = no consumers timeout
DEADLOCK = deadlock
SCOPE_DISPOSED = scope disposed
