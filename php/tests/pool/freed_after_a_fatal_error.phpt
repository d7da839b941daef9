--TEST--
A pool that is freed after a fatal error destroys its resources, and the function goes on
--FILE--
<?php
class Holder { public $pool; }
$h = new Holder;
$h->pool = new Async\Pool(fn () => new stdClass, function ($r) { echo "destroy\n"; }, min: 1);
register_shutdown_function(function () use ($h) {
    $f = function ($a, $b, $c) use ($h) { $h->pool = null; return [$a, $b, $c]; };
    echo json_encode($f('a', 'b', 'c')), "\n";
});
trigger_error('fatal', E_USER_ERROR);
?>
--EXPECTF--

Fatal error: fatal in %s on line 9
destroy
["a","b","c"]
