--TEST--
R-FUT-9: a future that is dropped unused warns with its place of creation
--FILE--
<?php
$f = Async\Future::completed(1);
unset($f);
Async\suspend();
$f = Async\Future::completed(1)->ignore();
unset($f);
Async\suspend();
echo "end\n";
?>
--EXPECTF--
Warning: Future was never used; call await(), map(), catch(), finally() or ignore() to suppress this warning. Created at %s:2 in %s on line %d
end
