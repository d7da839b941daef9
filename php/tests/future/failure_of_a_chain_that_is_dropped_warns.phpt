--TEST--
R-FUT-9: a failure that passes through a chain and is read by nothing warns
--FILE--
<?php
Async\Future::failed(new Exception('lost'))->map(fn ($x) => $x);
Async\suspend();
Async\suspend();
echo "end\n";
?>
--EXPECTF--

Warning: Unhandled exception in Future: lost; use %s() or ignore() to handle. Created at %s:2, completed at %s:2 in %s on line %d
end
