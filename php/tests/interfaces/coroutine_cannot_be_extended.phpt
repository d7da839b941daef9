--TEST--
A class that extends Coroutine is refused
--FILE--
<?php
use Async\Coroutine;
class Mine extends Coroutine {}
?>
--EXPECTF--
Fatal error: Class Mine %s final class %SAsync\Coroutine%S in %s on line %d
