--TEST--
A new file is reported with its name and as renamed
--FILE--
<?php
use Async\FileSystemWatcher;
$d = sys_get_temp_dir() . '/weft_' . getmypid();
mkdir($d);
$w = new FileSystemWatcher($d);
touch("$d/a.txt");
foreach ($w as $e) { var_dump($e->path === $d, $e->filename, $e->renamed); break; }
$w->close();
unlink("$d/a.txt"); rmdir($d);
?>
--EXPECT--
bool(true)
string(5) "a.txt"
bool(true)
