--TEST--
RemoteException without a thread names no exception
--FILE--
<?php
$e = new Async\RemoteException('made here');
var_dump($e->getMessage(), $e->getRemoteException(), $e->getRemoteClass());
?>
--EXPECT--
string(9) "made here"
NULL
string(0) ""
