--TEST--
Only files with one of the extensions are reported
--FILE--
<?php
use Async\FileSystemWatcher;
$d = sys_get_temp_dir() . '/weft_' . getmypid();
mkdir($d);
$w = new FileSystemWatcher($d, extensions: ['php']);
touch("$d/a.txt"); touch("$d/b.php");
foreach ($w as $e) { echo $e->filename, "\n"; break; }
$w->close();
unlink("$d/a.txt"); unlink("$d/b.php"); rmdir($d);
?>
--EXPECT--
b.php
