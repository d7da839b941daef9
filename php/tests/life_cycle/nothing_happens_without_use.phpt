--TEST--
R-SHU-4: a script that uses nothing of it ends as ever
--FILE--
<?php
register_shutdown_function(fn () => print("shutdown\n"));
echo "main\n";
?>
--EXPECT--
main
shutdown
