--TEST--
A fresh scope is finished, neither closed nor cancelled
--FILE--
<?php
$s = new Async\Scope;
var_dump($s->isFinished(), $s->isClosed(), $s->isCancelled(), $s->provideScope() === $s, $s->getChildScopes());
?>
--EXPECT--
bool(true)
bool(false)
bool(false)
bool(true)
array(0) {
}
