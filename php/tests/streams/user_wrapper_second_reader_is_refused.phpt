--TEST--
A second coroutine that reads a stream of a user's wrapper meanwhile is refused; one that writes is not
--FILE--
<?php
use function Async\{spawn, suspend, await_all};
class Slow {
    public $context;
    private static $reads = 0;
    public function stream_open($path, $mode, $options, &$opened) { return true; }
    public function stream_read($count) { global $gate; $mine = ++self::$reads; $gate->recv(); return (string) $mine; }
    public function stream_write($text) { suspend(); return strlen($text); }
    public function stream_seek($offset, $whence) { return true; }
    public function stream_tell() { return 0; }
    public function stream_eof() { return false; }
    public function stream_stat() { return []; }
}
stream_wrapper_register('slow', 'Slow');
$gate = new Async\Channel(2);
$file = fopen('slow://x', 'r+');
$first = spawn(function () use ($file) { $text = fread($file, 1); echo "read: $text\n"; });
$name = (string) $first->getId();
$refused = function (callable $use) use ($name) {
    try {
        $use();
        echo "used\n";
    } catch (Async\AsyncException $e) {
        echo str_replace($name, 'N', $e->getMessage()), "\n";
    }
};
$all[] = spawn(fn() => $refused(fn() => fread($file, 1)));
$all[] = spawn(fn() => $refused(fn() => fgets($file)));
$all[] = spawn(fn() => $refused(fn() => fseek($file, 10)));
$all[] = spawn(function () use ($file) { $size = fwrite($file, 'text'); echo "written: $size\n"; });
await_all($all);
$gate->send(1);
await_all([$first]);
$gate->send(1);
echo 'afterwards: ', fread($file, 1), "\n";
?>
--EXPECT--
The stream or connection is already in use by coroutine N
The stream or connection is already in use by coroutine N
The stream or connection is already in use by coroutine N
written: 4
read: 1
afterwards: 2
