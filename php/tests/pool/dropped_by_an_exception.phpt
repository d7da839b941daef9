--TEST--
A pool that an exception drops destroys its resources, and the exception is caught as it was thrown
--FILE--
<?php
function f(callable $destructor)
{
    $pool = new Async\Pool(fn () => new stdClass, $destructor, min: 1);
    throw new Exception('x');
}
foreach ([fn () => print("destroyed\n"), function () { Async\delay(1); echo "destroyed later\n"; }, fn () => throw new LogicException('of the hook')] as $destructor) {
    try { f($destructor); } catch (Exception $e) {
        for (; $e; $e = $e->getPrevious()) echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
function g()
{
    $group = new Async\TaskGroup;
    $group->spawn(function () { try { Async\delay(60000); } finally { echo "task cancelled\n"; } });
    Async\suspend();
    throw new Exception('y');
}
try { g(); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
Async\spawn(function () {
    try { f(fn () => throw new LogicException('of the hook')); } finally { echo "finally\n"; exit(0); }
});
?>
--EXPECT--
destroyed
Exception: x
destroyed later
Exception: x
LogicException: of the hook
Exception: x
task cancelled
y
finally
