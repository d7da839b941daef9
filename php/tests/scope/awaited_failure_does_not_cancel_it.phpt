--TEST--
R-EXC-2: a failure that an awaiter takes does not cancel the scope
--FILE--
<?php
use function Async\{await, delay};
$s = new Async\Scope;
$other = $s->spawn(function () { delay(2); return 'goes on'; });
try { await($s->spawn(fn () => throw new DomainException('taken'))); } catch (DomainException $e) { echo $e->getMessage(), "\n"; }
var_dump($s->isCancelled(), await($other));
?>
--EXPECT--
taken
bool(false)
string(7) "goes on"
