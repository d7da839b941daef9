--TEST--
A resource may be a value of any type but null
--FILE--
<?php
foreach (['text', 5, [1, 2], false] as $value) {
    $pool = new Async\Pool(fn () => $value);
    $r = $pool->acquire();
    $pool->release($r);
    echo json_encode($pool->acquire()), "\n";
}
?>
--EXPECT--
"text"
5
[1,2]
false
