--TEST--
A watcher that is dropped keeps nothing alive
--FILE--
<?php
use Async\FileSystemWatcher;
$w = new FileSystemWatcher(__DIR__);
unset($w);
echo "end\n";
?>
--EXPECT--
end
