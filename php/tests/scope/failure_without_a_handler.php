<?php
use function Async\{delay, timeout};
$s = new Async\Scope;
$s->spawn(function () { try { delay(10000); } finally { echo "cancelled\n"; } });
$s->spawn(function () { throw new DomainException('unhandled'); });
try { $s->awaitCompletion(timeout(5000)); } catch (DomainException $e) { echo $e->getMessage(), "\n"; }
?>
