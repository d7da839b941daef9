--TEST--
The stubs come with a Composer manifest
--FILE--
<?php
$manifest = json_decode(file_get_contents(dirname(__DIR__, 2) . '/stubs/composer.json'), true, flags: JSON_THROW_ON_ERROR);
echo $manifest['name'], ' ', $manifest['license'], ' ', $manifest['require']['php'], "\n";
var_dump(isset($manifest['autoload']));   // they would declare the classes twice
?>
--EXPECT--
weft/stubs Apache-2.0 >=8.2
bool(false)
