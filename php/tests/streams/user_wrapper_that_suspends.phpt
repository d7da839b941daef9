--TEST--
A stream wrapper of the user may suspend
--FILE--
<?php
use function Async\{await, spawn, suspend};
class Slow {
    public $context;
    private $left;
    public function stream_open($path, $mode, $options, &$opened) { suspend(); $this->left = substr($path, 7); return true; }
    public function stream_read($count) { suspend(); $part = substr($this->left, 0, 2); $this->left = substr($this->left, 2); return $part; }
    public function stream_eof() { return $this->left === ''; }
    public function stream_stat() { return []; }
    public function stream_close() { suspend(); }
}
stream_wrapper_register('slow', 'Slow');
$a = spawn(fn () => file_get_contents('slow://abcde'));
$b = spawn(fn () => file_get_contents('slow://12345'));
echo await($a), ' ', await($b), "\n";
?>
--EXPECT--
abcde 12345
