--TEST--
R-FUT-4 to R-FUT-6: map on success, catch on failure, finally on both
--FILE--
<?php
use Async\Future;
$ok = Future::completed(2);
var_dump($ok->map(fn ($x) => $x * 10)->await(), $ok->catch(fn () => 'unused')->await());
$bad = Future::failed(new Exception('bad'));
var_dump($bad->catch(fn ($e) => 'caught ' . $e->getMessage())->await());
try { $bad->map(fn () => print("never\n"))->await(); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
var_dump($ok->finally(function ($v) { echo "finally $v\n"; return 'ignored'; })->await());
try { $bad->finally(fn ($e) => print('finally ' . $e->getMessage() . "\n"))->await(); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
try { $bad->finally(fn () => throw new LogicException('later'))->await(); } catch (LogicException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
int(20)
int(2)
string(10) "caught bad"
bad
finally 2
int(2)
finally bad
bad
later
