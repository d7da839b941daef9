--TEST--
A file opened for appending begins at position 0 and is written at its end
--FILE--
<?php
use function Async\{await, await_all_or_fail, spawn, suspend};
$name = tempnam(sys_get_temp_dir(), 'weft');
file_put_contents($name, "begin\n");
$append = fn ($x) => spawn(function () use ($name, $x) {
    $f = fopen($name, 'a');
    $position = ftell($f);
    for ($i = 0; $i < 3; ++$i) { fwrite($f, str_repeat($x, 50) . "\n"); suspend(); }
    return $position;
});
echo json_encode(await_all_or_fail([$append('a'), $append('b')])), "\n";
$lines = file($name, FILE_IGNORE_NEW_LINES);
$kinds = array_count_values($lines);
var_dump($lines[0], $kinds[str_repeat('a', 50)], $kinds[str_repeat('b', 50)]);
unlink($name);
?>
--EXPECT--
[0,0]
string(5) "begin"
int(3)
int(3)
