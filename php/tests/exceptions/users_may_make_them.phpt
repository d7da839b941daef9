--TEST--
Users may make the exceptions, with message, code and previous
--FILE--
<?php
foreach (['OperationCanceledException', 'AsyncException', 'ServiceUnavailableException', 'PoolException', 'ContextException', 'InputOutputException', 'DnsException', 'TimeoutException', 'PollException', 'DeadlockError', 'CompositeException'] as $name) {
    $class = "Async\\$name";
    $e = new $class('m', 2, $previous = new Exception);
    echo $name, ' ', $e->getMessage(), $e->getCode(), json_encode($e->getPrevious() === $previous), "\n";
}
?>
--EXPECT--
OperationCanceledException m2true
AsyncException m2true
ServiceUnavailableException m2true
PoolException m2true
ContextException m2true
InputOutputException m2true
DnsException m2true
TimeoutException m2true
PollException m2true
DeadlockError m2true
CompositeException m2true
