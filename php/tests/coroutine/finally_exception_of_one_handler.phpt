--TEST--
The exception of a single handler goes to the scope's handler as it is
--FILE--
<?php
use Async\Scope;
use function Async\{delay, await};
$s = new Scope;
$s->setExceptionHandler(function ($s, $c, $e) { echo get_class($e), ' ', $e->getMessage(), "\n"; });
$c = $s->spawn(fn () => 1);
$c->finally(fn () => throw new DomainException('handler'));
var_dump(await($c));
delay(1);
?>
--EXPECT--
DomainException handler
int(1)
