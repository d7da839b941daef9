--TEST--
A cancellation has the properties of other exceptions
--FILE--
<?php
class Mine extends Cancellation { protected $message = 'preset'; protected $code = 3; }
$e = new Mine;
var_dump($e->getMessage(), $e->getCode(), $e->getLine(), $e->getTraceAsString(), $e instanceof Stringable);
?>
--EXPECT--
string(6) "preset"
int(3)
int(3)
string(9) "#0 {main}"
bool(true)
