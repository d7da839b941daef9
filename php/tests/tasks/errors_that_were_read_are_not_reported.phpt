--TEST--
getErrors() and iteration count as reading the errors
--FILE--
<?php
foreach ([fn ($g) => $g->getErrors(), function ($g) { foreach ($g as $key => [$result, $error]) echo $error->getMessage(), "\n"; }] as $read) {
    $g = new Async\TaskGroup;
    $g->spawn(fn () => throw new Exception('read'));
    $g->close();
    $g->awaitCompletion();
    $read($g);
    unset($g);
    Async\suspend();
}
echo "end\n";
?>
--EXPECT--
read
end
