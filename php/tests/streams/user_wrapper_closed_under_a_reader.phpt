--TEST--
fclose() and closedir() wait until another coroutine has left a stream of a user's wrapper
--FILE--
<?php
use function Async\{spawn, delay, suspend};
class Slow {
    public $context;
    public function stream_open($path, $mode, $options, &$opened) { return true; }
    public function stream_read($count) { delay(5); return 'text'; }
    public function stream_eof() { return false; }
    public function stream_stat() { return []; }
    public function stream_close() { echo "closed\n"; }
    public function dir_opendir($path, $options) { return true; }
    public function dir_readdir() { delay(5); return 'entry'; }
    public function dir_closedir() { echo "closed\n"; }
}
stream_wrapper_register('slow', 'Slow');
$file = fopen('slow://x', 'r');
spawn(function () use ($file) { echo fread($file, 4), "\n"; });
suspend();
fclose($file);
$directory = opendir('slow://x');
spawn(function () use ($directory) { echo readdir($directory), "\n"; });
suspend();
closedir($directory);
?>
--EXPECT--
text
closed
entry
closed
