--TEST--
Functions that read a whole file wait in their coroutine for the end of a pipe with a name
--EXTENSIONS--
posix
--FILE--
<?php
use function Async\{await, spawn, suspend};
$name = tempnam(sys_get_temp_dir(), 'weft');
unlink($name);
posix_mkfifo($name, 0600);
foreach (['file_get_contents' => fn () => file_get_contents($name), 'file' => fn () => file($name), 'copy' => fn () => copy($name, "$name.copy") . file_get_contents("$name.copy"),
          'readfile' => function () use ($name) { ob_start(); return readfile($name) . ob_get_clean(); }] as $function => $call) {
    $writer = fopen($name, 'r+');
    $reader = spawn($call);
    suspend();
    $waits = !$reader->isCompleted();
    fwrite($writer, "data\n");
    suspend();
    fclose($writer);
    echo $function, ' ', json_encode([$waits, await($reader)]), "\n";
}
unlink($name);
unlink("$name.copy");
?>
--EXPECT--
file_get_contents [true,"data\n"]
file [true,["data\n"]]
copy [true,"1data\n"]
readfile [true,"5data\n"]
