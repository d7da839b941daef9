--TEST--
Random calls of the API, with seeds: no crash, and every script ends
--INI--
async.debug_deadlock=0
memory_limit=256M
--FILE--
<?php
// In one process a seed after the other; what is left of one must not disturb the next.
use Async\{Channel, Future, FutureState, Pool, Scope, TaskGroup, TaskSet};
use function Async\{await, await_all, await_any_of, coroutine_context, current_context, delay, iterate, protect, spawn, suspend, timeout};

final class Play
{
    private int $calls = 0;
    private array $coroutines = [], $scopes = [], $channels = [], $futures = [], $groups = [], $pools = [];

    public function step(int $depth = 0): void
    {
        $one = fn (array $from) => $from === [] ? null : $from[array_rand($from)];
        switch (mt_rand(0, 31)) {
            case 0: $this->coroutines[] = spawn(fn () => $this->body($depth)); break;
            case 1: spawn(fn () => $this->body($depth)); break;
            case 2: suspend(); break;
            case 3: delay(mt_rand(0, 1)); break;
            case 4: $one($this->coroutines)?->cancel(); break;
            case 5: if ($c = $one($this->coroutines)) await($c, timeout(2)); break;
            case 6: array_splice($this->coroutines, 0, mt_rand(0, 2)); break;
            case 7: $this->scopes[] = mt_rand(0, 1) ? new Scope : Scope::inherit($one($this->scopes)); break;
            case 8: $one($this->scopes)?->spawn(fn () => $this->body($depth)); break;
            case 9: $s = $one($this->scopes); $s?->{['cancel', 'dispose', 'disposeSafely', 'isFinished'][mt_rand(0, 3)]}(); break;
            case 10: array_shift($this->scopes); break;
            case 11: $this->channels[] = new Channel(mt_rand(0, 2)); break;
            case 12: $one($this->channels)?->send(new ArrayObject([$this]), timeout(1)); break;
            case 13: $one($this->channels)?->recv(timeout(1)); break;
            case 14: $one($this->channels)?->close(); array_shift($this->channels); break;
            case 15: $state = new FutureState; $this->futures[] = (new Future($state))->ignore(); spawn(function () use ($state) { suspend(); $state->complete(1); }); break;
            case 16: if ($f = $one($this->futures)) $this->futures[] = $f->map(fn ($x) => $x)->finally(fn () => suspend())->ignore(); break;
            case 17: if ($f = $one($this->futures)) mt_rand(0, 1) ? $f->cancel() : $f->await(timeout(1)); break;
            case 18: await_all($this->coroutines, timeout(1)); break;
            case 19: await_any_of(1, [...$this->futures, ...$this->coroutines], timeout(1)); break;
            case 20: protect(fn () => suspend()); break;
            case 21: $g = $this->groups[] = new TaskGroup(mt_rand(1, 2), 0); $g->spawn(fn () => $this->body($depth)); mt_rand(0, 1) ? $g->cancel() : $g->suppressErrors(); array_splice($this->groups, 0, count($this->groups) - 2); break;
            case 22: $p = $this->pools[] = new Pool(fn () => new stdClass, max: 1); $r = $p->acquire(1); suspend(); $p->release($r); array_splice($this->pools, 0, count($this->pools) - 2); break;
            case 23: iterate([1, 2, 3], fn ($x) => suspend(), 2); gc_collect_cycles(); break;
            // Cycles, for the collector.
            case 24: $one($this->scopes)?->setExceptionHandler(fn () => $this->calls++); break;
            case 25: $one($this->scopes)?->finally(fn () => $this->calls++); break;
            case 26: $one($this->channels)?->sendAsync([$this, $this->scopes]); break;
            case 27: $this->futures[] = Future::completed([$this])->ignore(); break;
            case 28: $this->pools[] = new Pool(fn () => [$this], fn ($r) => $this->calls++, min: 1, max: 2, beforeRelease: fn ($r) => $this !== null); break;
            case 29: current_context()->set('key ' . mt_rand(0, 3), [$this], true); coroutine_context()->set($this, $this, true); break;
            case 30: $g = $this->groups[] = new TaskSet(2, 0); $g->spawn(fn () => [$this]); $g->finally(fn () => $this->calls++); break;
            case 31: $this->coroutines[] = spawn(fn () => [$this, $this->coroutines]); gc_collect_cycles(); break;
        }
    }

    private function body(int $depth): int
    {
        for ($i = mt_rand(0, 4); $i > 0 && $depth < 3; --$i) {
            try {
                $this->step($depth + 1);
            } catch (Exception) {
            } finally {
                if (mt_rand(0, 9) === 0) suspend();
            }
        }
        return $depth;
    }
}

for ($seed = 1; $seed <= 60; ++$seed) {
    mt_srand($seed);
    $scope = new Scope;
    $scope->setExceptionHandler(fn () => null);
    $main = $scope->spawn(function () {
        $play = new Play;
        for ($i = 0; $i < 60; ++$i) {
            try { $play->step(); } catch (Throwable) {}
        }
    });
    try { await($main, timeout(3000)); } catch (Throwable) {}
    $scope->cancel();
    try { $scope->awaitAfterCancellation(fn () => null, timeout(3000)); } catch (Throwable) {}
    unset($scope, $main);
}
echo "seeds: ", $seed - 1, "\n";
?>
--EXPECT--
seeds: 60
