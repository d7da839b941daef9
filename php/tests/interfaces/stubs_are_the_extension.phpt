--TEST--
The stubs declare what the extension declares: classes, methods, functions, parameters, types, defaults
--FILE--
<?php
require __DIR__ . '/declarations.inc';
$code = sprintf(
    'require %s; require %s; echo json_encode(declarations());',
    var_export(__DIR__ . '/declarations.inc', true),
    var_export(dirname(__DIR__, 2) . '/stubs/weft.stub.php', true),
);
$stubs = json_decode(shell_exec(escapeshellarg(PHP_BINARY) . ' -n -r ' . escapeshellarg($code)), true);
$extension = declarations();
echo implode("\n", array_map(fn ($line) => "- $line", array_diff($stubs, $extension)));
echo implode("\n", array_map(fn ($line) => "+ $line", array_diff($extension, $stubs)));
var_dump(count($stubs) > 150);
?>
--EXPECT--
bool(true)
