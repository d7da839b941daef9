--TEST--
The exception classes and their parents
--FILE--
<?php
foreach (['AsyncCancellation', 'OperationCanceledException', 'DeadlockError', 'AsyncException', 'ServiceUnavailableException', 'ChannelException', 'PoolException', 'ContextException', 'RemoteException', 'ThreadTransferException', 'ThreadChannelException', 'InputOutputException', 'DnsException', 'TimeoutException', 'PollException', 'CompositeException', 'ThreadPoolException'] as $name) {
    $c = new ReflectionClass("Async\\$name");
    echo $name, ' < ', $c->getParentClass()->getName(), $c->isFinal() ? ' final' : '', "\n";
}
var_dump((new ReflectionClass('Cancellation'))->getParentClass());
?>
--EXPECT--
AsyncCancellation < Cancellation
OperationCanceledException < Async\AsyncCancellation
DeadlockError < Error
AsyncException < Exception
ServiceUnavailableException < Async\AsyncException
ChannelException < Async\AsyncException
PoolException < Async\AsyncException
ContextException < Async\AsyncException
RemoteException < Async\AsyncException
ThreadTransferException < Async\AsyncException
ThreadChannelException < Async\AsyncException
InputOutputException < Exception
DnsException < Exception
TimeoutException < Exception
PollException < Exception
CompositeException < Exception final
ThreadPoolException < Exception
bool(false)
