--TEST--
A channel made in a scope closes when the scope is cancelled
--FILE--
<?php
use function Async\{await, suspend};
$s = new Async\Scope;
$ch = await($s->spawn(fn () => new Async\Channel));
$s->cancel();
try { $ch->recv(); } catch (Async\ChannelException $e) { echo $e->getMessage(), ' ', $e->reason->name, "\n"; }
?>
--EXPECT--
Channel closed: owner scope disposed SCOPE_DISPOSED
