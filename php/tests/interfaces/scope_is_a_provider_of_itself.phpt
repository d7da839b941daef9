--TEST--
A Scope is a ScopeProvider; a SpawnStrategy is one too
--FILE--
<?php
use Async\{ScopeProvider, SpawnStrategy, Scope};
var_dump(new Scope instanceof ScopeProvider, is_subclass_of(SpawnStrategy::class, ScopeProvider::class));
?>
--EXPECT--
bool(true)
bool(true)
