--TEST--
A write is reported as changed
--FILE--
<?php
use Async\FileSystemWatcher;
$d = sys_get_temp_dir() . '/weft_' . getmypid();
mkdir($d); touch("$d/a.txt");
$w = new FileSystemWatcher($d);
file_put_contents("$d/a.txt", 'x');
foreach ($w as $e) { var_dump($e->filename, $e->changed); break; }
$w->close();
unlink("$d/a.txt"); rmdir($d);
?>
--EXPECT--
string(5) "a.txt"
bool(true)
