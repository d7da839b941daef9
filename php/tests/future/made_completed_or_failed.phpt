--TEST--
Future::completed() and Future::failed()
--FILE--
<?php
var_dump(Async\Future::completed(5)->await(), Async\Future::completed()->await());
try { Async\Future::failed(new Exception('at birth'))->await(); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
int(5)
NULL
at birth
