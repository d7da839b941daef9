--TEST--
spawn_with() asks a provider for the scope; null stands for the current one
--FILE--
<?php
use function Async\{spawn_with, await};
class Provider implements Async\ScopeProvider {
    public function __construct(private mixed $scope) {}
    public function provideScope(): ?Async\Scope { return is_callable($this->scope) ? ($this->scope)() : $this->scope; }
}
$provider = new Provider(new Async\Scope);
echo await(spawn_with($provider, fn () => 'own')), "\n";
echo await(spawn_with(new Provider(null), fn () => 'current')), "\n";
try {
    spawn_with(new Provider(fn () => throw new RuntimeException('no scope')), fn () => print('never'));
} catch (RuntimeException $e) {
    echo $e->getMessage(), "\n";
}
?>
--EXPECT--
own
current
no scope
