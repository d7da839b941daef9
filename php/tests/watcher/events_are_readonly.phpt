--TEST--
An event cannot be changed
--FILE--
<?php
use Async\FileSystemWatcher;
require __DIR__ . '/../says.inc';
$d = sys_get_temp_dir() . '/weft_' . getmypid();
mkdir($d);
$w = new FileSystemWatcher($d);
touch("$d/a");
foreach ($w as $e) { says(function () use ($e) { $e->path = 'x'; }); break; }
$w->close();
unlink("$d/a"); rmdir($d);
?>
--EXPECT--
Error: Cannot modify readonly property Async\FileSystemEvent::$path
