--TEST--
exec() appends lines without trailing white space, as outside of coroutines
--FILE--
<?php
use function Async\{await, spawn};
$work = function () {
    $lines = ['kept'];
    $last = exec("printf 'a  \\r\\nb\\n\\nc'", $lines, $code);
    return [$last, $lines, strlen(exec('head -c 100000 /dev/zero | tr "\\0" x'))];
};
$outside = $work();
var_dump(await(spawn($work)) === $outside);
echo json_encode($outside), "\n";
?>
--EXPECT--
bool(true)
["c",["kept","a","b","","c"],100000]
