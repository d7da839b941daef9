--TEST--
While a constructor that turns warnings into exceptions is suspended, others get warnings
--FILE--
<?php
use function Async\{spawn, await, suspend};
class Slow {
    public function url_stat($path, $flags) { return []; }
    public $context;
    public function stream_open($path, $mode, $options, &$opened) { suspend(); return !str_ends_with($path, 'missing'); }
    public function stream_stat() { return []; }
}
stream_wrapper_register('slow', 'Slow');
$opens = spawn(fn() => get_class(new SplFileObject('slow://x')));
$fails = spawn(fn() => new SplFileObject('slow://missing'));
suspend();
var_dump(file_get_contents('/no/such/file'));
echo await($opens), "\n";
try { await($fails); } catch (RuntimeException $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
?>
--EXPECTF--

Warning: file_get_contents(/no/such/file): Failed to open stream: No such file or directory in %s on line %d
bool(false)
SplFileObject
RuntimeException: SplFileObject::__construct(slow://missing): Failed to open stream: "Slow::stream_open" call failed
