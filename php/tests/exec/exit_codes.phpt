--TEST--
exec(), system() and passthru() give the exit code of their command
--FILE--
<?php
use function Async\{await, spawn};
echo json_encode(await(spawn(function () {
    exec('exit 3', $lines, $a);
    ob_start();
    system('exit 4', $b);
    passthru('exit 5', $c);
    ob_end_clean();
    exec('no-such-command-of-weft 2>/dev/null', $lines, $d);
    return [$a, $b, $c, $d];
}))), "\n";
?>
--EXPECT--
[3,4,5,127]
