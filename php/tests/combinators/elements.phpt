--TEST--
Elements are Awaitables or null; objects may be named twice
--FILE--
<?php
use function Async\{spawn, await_all_or_fail, await_all, timeout};
$c = spawn(fn () => 'same');
echo json_encode(await_all_or_fail(['a' => $c, 'n' => null, 'b' => $c, 'f' => Async\Future::completed('future')])), "\n";
foreach ([[5], [new stdClass]] as $bad) {
    try { await_all($bad); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
}
[, $errors] = await_all(['t' => timeout(1)]);
echo get_class($errors['t']), "\n";
try { await_all(5); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
{"a":"same","b":"same","f":"future"}
Expected item to be an Async\Awaitable object
Expected item to be an Async\Awaitable object
Async\TimeoutException
Async\await_all(): Argument #1 ($triggers) must be of type Traversable|array, int given
