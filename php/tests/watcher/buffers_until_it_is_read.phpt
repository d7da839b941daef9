--TEST--
Changes before the iteration begins are kept
--FILE--
<?php
use Async\FileSystemWatcher;
$d = sys_get_temp_dir() . '/weft_' . getmypid();
mkdir($d);
$w = new FileSystemWatcher($d);
touch("$d/a"); touch("$d/b");
$names = [];
foreach ($w as $e) { $names[$e->filename] = 1; if (count($names) == 2) break; }
ksort($names);
echo implode(' ', array_keys($names)), "\n";
$w->close();
unlink("$d/a"); unlink("$d/b"); rmdir($d);
?>
--EXPECT--
a b
