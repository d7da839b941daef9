--TEST--
A callback finds the values of its caller's scope
--FILE--
<?php
use function Async\{await, current_context, iterate};
$s = new Async\Scope;
await($s->spawn(function () {
    current_context()->set('k', 'of the caller');
    iterate([1], fn () => print(current_context()->find('k') . "\n"));
}));
?>
--EXPECT--
of the caller
