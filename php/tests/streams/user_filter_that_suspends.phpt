--TEST--
A filter of the user may suspend
--FILE--
<?php
use function Async\{await, spawn, suspend};
class Upper extends php_user_filter {
    public function filter($in, $out, &$consumed, bool $closing): int {
        while ($bucket = stream_bucket_make_writeable($in)) { suspend(); $bucket->data = strtoupper($bucket->data); $consumed += $bucket->datalen; stream_bucket_append($out, $bucket); }
        return PSFS_PASS_ON;
    }
}
stream_filter_register('weft.upper', 'Upper');
$read = fn ($text) => spawn(function () use ($text) {
    $f = fopen('php://memory', 'w+');
    fwrite($f, $text);
    rewind($f);
    stream_filter_append($f, 'weft.upper', STREAM_FILTER_READ);
    return stream_get_contents($f);
});
$a = $read('first');
$b = $read('second');
echo await($a), ' ', await($b), "\n";
?>
--EXPECT--
FIRST SECOND
