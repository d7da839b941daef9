--TEST--
Functions on disk files give the same results inside a coroutine as outside
--FILE--
<?php
use function Async\{await, spawn};
$work = function () {
    $name = tempnam(sys_get_temp_dir(), 'weft');
    $f = fopen($name, 'w+');
    $got = [fputcsv($f, ['a', 'b"c', 'd e']), fwrite($f, "7 seven\nlast"), ftell($f), fflush($f), fsync($f), rewind($f), fgetcsv($f), fscanf($f, '%d %s'), fgetc($f), feof($f), fgets($f), fgets($f), feof($f),
        fseek($f, -4, SEEK_END), stream_get_contents($f), ftruncate($f, 5), fseek($f, 0), fread($f, 100), fclose($f)];
    $got[] = [file_put_contents($name, "one\ntwo\n"), file_put_contents($name, "three\n", FILE_APPEND | LOCK_EX), file($name, FILE_IGNORE_NEW_LINES), copy($name, "$name.copy"), file_get_contents("$name.copy", offset: 4, length: 3)];
    ob_start();
    $got[] = [readfile($name), ob_get_clean(), unlink($name), unlink("$name.copy"), is_resource(tmpfile())];
    return $got;
};
$outside = $work();
$inside = await(spawn($work));
var_dump($inside === $outside);
echo json_encode($inside), "\n";
?>
--EXPECT--
bool(true)
[15,12,27,true,true,true,["a","b\"c","d e"],[7,"seven"],"l",false,"ast",false,true,0,"last",true,0,"a,\"b\"",true,[8,6,["one","two","three"],true,"two"],[14,"one\ntwo\nthree\n",true,true,true]]
