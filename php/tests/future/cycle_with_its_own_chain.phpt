--TEST--
A future that its own chain holds is collected
--FILE--
<?php
class Marker { public function __destruct() { echo "collected\n"; } }
(function () {
    $marker = new Marker;
    $future = new Async\Future($state = new Async\FutureState);
    $future->map(function () use ($marker, &$future) { return $future; })->ignore();
    $state->complete(1);
    $future->await();
})();
Async\suspend();
gc_collect_cycles();
echo "end\n";
?>
--EXPECT--
collected
end
