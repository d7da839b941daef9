--TEST--
O-9: with an awaiter only the composite of the handlers reaches the scope's handler
--FILE--
<?php
use Async\Scope;
use function Async\{delay, await};
require __DIR__ . '/../says.inc';
$s = new Scope;
$s->setExceptionHandler(function ($s, $c, $e) { echo get_class($e), ' ', count($e->getExceptions()), "\n"; });
$c = $s->spawn(fn () => throw new Exception('body'));
$c->finally(fn () => throw new Exception('1'));
$c->finally(fn () => throw new Exception('2'));
says(fn () => await($c));
delay(1);
?>
--EXPECT--
Async\CompositeException 2
Exception: body
