--TEST--
Handlers that cannot be called are refused
--FILE--
<?php
$s = new Async\Scope;
foreach (['setExceptionHandler', 'setChildScopeExceptionHandler'] as $method) {
    try { $s->$method('no such function'); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
}
try { $s->finally('strlen'); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
Async\Scope::setExceptionHandler(): Argument #1 ($exceptionHandler) must be a valid callback, function "no such function" not found or invalid function name
Async\Scope::setChildScopeExceptionHandler(): Argument #1 ($exceptionHandler) must be a valid callback, function "no such function" not found or invalid function name
Async\Scope::finally(): Argument #1 ($callback) must be of type Closure, string given
