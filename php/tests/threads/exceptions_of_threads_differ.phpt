--TEST--
ThreadPoolException is no AsyncException; the other exceptions of threads are
--FILE--
<?php
foreach (['ThreadPoolException', 'ThreadChannelException', 'ThreadTransferException', 'RemoteException'] as $name) {
    $class = "Async\\$name";
    echo $name, ' ', json_encode((new $class('m')) instanceof Async\AsyncException), "\n";
}
?>
--EXPECT--
ThreadPoolException false
ThreadChannelException true
ThreadTransferException true
RemoteException true
