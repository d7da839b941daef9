--TEST--
The limit is exact: 1 is strictly sequential
--FILE--
<?php
use function Async\{iterate, suspend};
foreach ([1, 2] as $limit) {
    $running = $most = 0;
    iterate(range(1, 6), function ($x) use (&$running, &$most) { $most = max($most, ++$running); suspend(); suspend(); --$running; }, $limit);
    echo "limit $limit: $most\n";
}
?>
--EXPECT--
limit 1: 1
limit 2: 2
