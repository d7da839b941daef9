--TEST--
Closing twice does nothing, and a closed watcher gives nothing
--FILE--
<?php
use Async\FileSystemWatcher;
$w = new FileSystemWatcher(__DIR__);
var_dump($w->isClosed());
$w->close(); $w->close();
foreach ($w as $e) echo "never\n";
var_dump($w->isClosed());
?>
--EXPECT--
bool(false)
bool(true)
