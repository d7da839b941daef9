--TEST--
A CpuSnapshot is made by now() only, and is readonly
--FILE--
<?php
use Async\CpuSnapshot;
require __DIR__ . '/../says.inc';
says(fn () => new CpuSnapshot);
says(function () { CpuSnapshot::now()->wallNs = 1; });
?>
--EXPECT--
Error: Call to private Async\CpuSnapshot::__construct() from global scope
Error: Cannot modify readonly property Async\CpuSnapshot::$wallNs
