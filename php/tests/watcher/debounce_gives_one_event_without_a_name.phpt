--TEST--
With a debounce many changes give one event without a name
--FILE--
<?php
use Async\FileSystemWatcher;
$d = sys_get_temp_dir() . '/weft_' . getmypid();
mkdir($d);
$w = new FileSystemWatcher($d, debounceMs: 5);
touch("$d/a"); touch("$d/b");
foreach ($w as $e) { var_dump($e->filename); break; }
$w->close();
unlink("$d/a"); unlink("$d/b"); rmdir($d);
?>
--EXPECT--
NULL
