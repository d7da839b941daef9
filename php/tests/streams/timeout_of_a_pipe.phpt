--TEST--
stream_set_timeout() ends a read from a pipe; the stream stays usable
--FILE--
<?php
use function Async\{await, spawn};
$command = proc_open(['cat'], [['pipe', 'r'], ['pipe', 'w']], $pipes);
await(spawn(function () use ($pipes) {
    [$to, $from] = $pipes;
    var_dump(stream_set_timeout($from, 0, 50_000), stream_get_meta_data($from)['timed_out']);
    $begin = microtime(true);
    var_dump(fgets($from), microtime(true) - $begin >= 0.049);
    var_dump(stream_get_meta_data($from)['timed_out'], feof($from));
    fwrite($to, "later\n");
    stream_set_timeout($from, 10);
    var_dump(fgets($from), stream_get_meta_data($from)['timed_out']);
    fclose($to);
    var_dump(fgets($from), stream_get_meta_data($from)['timed_out'], feof($from));
    fclose($from);
}));
proc_close($command);
?>
--EXPECT--
bool(true)
bool(false)
bool(false)
bool(true)
bool(true)
bool(false)
string(6) "later
"
bool(false)
bool(false)
bool(false)
bool(true)
