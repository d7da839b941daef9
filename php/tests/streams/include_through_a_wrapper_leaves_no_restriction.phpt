--TEST--
Two coroutines that include a file through a wrapper that waits leave no restriction of include behind
--FILE--
<?php
use function Async\{spawn, suspend, await_all};
class Source {
    public $context;
    private $text = '<?php return 1;';
    public function stream_open($path) { suspend(); return true; }
    public function stream_read($count) { [$part, $this->text] = [$this->text, '']; return $part; }
    public function stream_eof() { return $this->text === ''; }
    public function stream_stat() { return []; }
    public function stream_set_option() { return false; }
}
stream_wrapper_register('source', 'Source');
await_all([spawn(fn() => include 'source://a'), spawn(fn() => include 'source://b')]);
file_get_contents('http://127.0.0.1:1/');
?>
--EXPECTF--
Warning: file_get_contents(http://127.0.0.1:1/): Failed to open stream: Connection refused in %s on line %d
