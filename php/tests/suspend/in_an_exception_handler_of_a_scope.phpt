--TEST--
A scope's exception handler may suspend
--FILE--
<?php
use Async\Scope;
use function Async\{suspend, delay, timeout};
$s = new Scope;
$s->setExceptionHandler(function ($s, $c, $e) { suspend(); echo 'handled ', $e->getMessage(), "\n"; });
$s->spawn(fn () => throw new Exception('x'));
$s->awaitCompletion(timeout(5000));
delay(1);
?>
--EXPECT--
handled x
