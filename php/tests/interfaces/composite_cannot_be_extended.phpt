--TEST--
A class that extends CompositeException is refused
--FILE--
<?php
use Async\CompositeException;
class Mine extends CompositeException {}
?>
--EXPECTF--
Fatal error: Class Mine %s final class %SAsync\CompositeException%S in %s on line %d
