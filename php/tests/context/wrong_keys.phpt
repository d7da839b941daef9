--TEST--
Keys of other types throw a TypeError
--FILE--
<?php
$c = Async\root_context();
foreach ([fn () => $c->set(5, 1), fn () => $c->get(1.5), fn () => $c->has([]), fn () => $c->unset(null)] as $f) {
    try { $f(); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
}
?>
--EXPECT--
Async\Context::set(): Argument #1 ($key) must be of type string|object, int given
Async\Context::get(): Argument #1 ($key) must be of type string|object, float given
Async\Context::has(): Argument #1 ($key) must be of type string|object, array given
Async\Context::unset(): Argument #1 ($key) must be of type string|object, null given
