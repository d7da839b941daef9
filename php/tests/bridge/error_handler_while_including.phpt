--TEST--
While PHP compiles an included file, nothing suspends
--INI--
opcache.enable_cli=0
--FILE--
<?php
$file = __DIR__ . '/error_handler_while_including.child.inc';
file_put_contents($file, '<?php function f(?int $a = null, $b) {}');
set_error_handler(function ($type, $text) {
    usleep(100);
    try {
        Async\suspend();
        echo "suspended\n";
    } catch (Async\AsyncException $error) {
        echo $error->getMessage(), "\n";
    }
    return true;
});
Async\spawn(function () { echo "another\n"; });
include $file;
echo "compiled\n";
unlink($file);
?>
--EXPECT--
A coroutine cannot be suspended while PHP compiles or prints
compiled
another
