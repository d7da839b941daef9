<?php

/**
 * The userland API of weft: the single source of the extension's declarations (php/tools/arginfo.php
 * generates them) and, as it stands, the stubs for an IDE.
 */

namespace {
    /** The third root of throwables: neither `catch (\Exception)` nor `catch (\Error)` sees it. */
    class Cancellation extends \Error
    {
    }
}

namespace Async {
    /** Anything that can be waited for; it may change its state many times. */
    interface Awaitable
    {
    }

    /** Changes its state once, and can be a cancellation token. */
    interface Completable extends Awaitable
    {
        public function cancel(?AsyncCancellation $cancellation = null): void;
        public function isCompleted(): bool;
        public function isCancelled(): bool;
    }

    interface ScopeProvider
    {
        public function provideScope(): ?Scope;
    }

    interface SpawnStrategy extends ScopeProvider
    {
        public function beforeCoroutineEnqueue(Coroutine $coroutine, Scope $scope): array;
        public function afterCoroutineEnqueue(Coroutine $coroutine, Scope $scope): void;
    }

    interface CircuitBreaker
    {
        public function getState(): CircuitBreakerState;
        public function activate(): void;
        public function deactivate(): void;
        public function recover(): void;
    }

    interface CircuitBreakerStrategy
    {
        public function reportSuccess(mixed $source): void;
        public function reportFailure(mixed $source, \Throwable $error): void;
        public function shouldRecover(): bool;
    }

    enum CircuitBreakerState
    {
        case ACTIVE;
        case INACTIVE;
        case RECOVERING;
    }

    enum ChannelCloseReason: string
    {
        case EXPLICIT = 'explicit';
        case DISPOSED = 'disposed';
        case NO_PRODUCERS = 'no producers timeout';
        case NO_CONSUMERS = 'no consumers timeout';
        case DEADLOCK = 'deadlock';
        case SCOPE_DISPOSED = 'scope disposed';
    }

    enum Signal: int
    {
        case SIGHUP = 1;
        case SIGINT = 2;
        case SIGQUIT = 3;
        case SIGILL = 4;
        case SIGABRT = 6;
        case SIGFPE = 8;
        case SIGKILL = 9;
        case SIGUSR1 = 10;
        case SIGSEGV = 11;
        case SIGUSR2 = 12;
        case SIGTERM = 15;
        case SIGBREAK = 21;
        case SIGABRT2 = 22;
        case SIGWINCH = 28;
    }

    /** A coroutine or a future was cancelled. */
    class AsyncCancellation extends \Cancellation
    {
    }

    /** A wait was ended by its token; the previous exception is the token's. */
    class OperationCanceledException extends AsyncCancellation
    {
    }

    class DeadlockError extends \Error
    {
    }

    class AsyncException extends \Exception
    {
    }

    class ServiceUnavailableException extends AsyncException
    {
    }

    class ChannelException extends AsyncException
    {
        public ChannelCloseReason $reason;
    }

    class PoolException extends AsyncException
    {
    }

    class ContextException extends AsyncException
    {
    }

    class RemoteException extends AsyncException
    {
        public function getRemoteException(): ?\Throwable {}
        public function getRemoteClass(): string {}
    }

    class ThreadTransferException extends AsyncException
    {
    }

    class ThreadChannelException extends AsyncException
    {
    }

    class InputOutputException extends \Exception
    {
    }

    class DnsException extends \Exception
    {
    }

    class TimeoutException extends \Exception
    {
    }

    class PollException extends \Exception
    {
    }

    final class CompositeException extends \Exception
    {
        private array $exceptions = [];
        public function addException(\Throwable $exception): void {}
        public function getExceptions(): array {}
    }

    class ThreadPoolException extends \Exception
    {
    }

    final class Coroutine implements Completable
    {
        public function getId(): int {}
        public function asHiPriority(): Coroutine {}
        public function getContext(): Context {}
        public function getResult(): mixed {}
        public function getException(): mixed {}
        public function getTrace(int $options = DEBUG_BACKTRACE_PROVIDE_OBJECT, int $limit = 0): ?array {}
        public function getSpawnFileAndLine(): array {}
        public function getSpawnLocation(): string {}
        public function getSuspendFileAndLine(): array {}
        public function getSuspendLocation(): string {}
        public function isStarted(): bool {}
        public function isQueued(): bool {}
        public function isRunning(): bool {}
        public function isSuspended(): bool {}
        public function isCancelled(): bool {}
        public function isCancellationRequested(): bool {}
        public function isCompleted(): bool {}
        public function getAwaitingInfo(): array {}
        public function cancel(?AsyncCancellation $cancellation = null): void {}
        public function finally(\Closure $callback): void {}
    }

    final class Scope implements ScopeProvider
    {
        public static function inherit(?Scope $parentScope = null): Scope {}
        public function provideScope(): Scope {}
        public function __construct() {}
        public function asNotSafely(): Scope {}
        public function allowZombies(): Scope {}
        public function spawn(\Closure $callable, mixed ...$params): Coroutine {}
        public function cancel(?AsyncCancellation $cancellationError = null): void {}
        public function awaitCompletion(Awaitable $cancellation): void {}
        public function awaitAfterCancellation(?callable $errorHandler = null, ?Awaitable $cancellation = null): void {}
        public function isFinished(): bool {}
        public function isClosed(): bool {}
        public function isCancelled(): bool {}
        public function setExceptionHandler(callable $exceptionHandler): void {}
        public function setChildScopeExceptionHandler(callable $exceptionHandler): void {}
        public function finally(\Closure $callback): void {}
        public function dispose(): void {}
        public function disposeSafely(): void {}
        public function disposeAfterTimeout(int $timeout): void {}
        public function getChildScopes(): array {}
    }

    final class Context
    {
        public function find(string|object $key): mixed {}
        public function get(string|object $key): mixed {}
        public function has(string|object $key): bool {}
        public function findLocal(string|object $key): mixed {}
        public function getLocal(string|object $key): mixed {}
        public function hasLocal(string|object $key): bool {}
        public function set(string|object $key, mixed $value, bool $replace = false): Context {}
        public function unset(string|object $key): Context {}
    }

    final class FutureState
    {
        public function __construct() {}
        public function complete(mixed $result): void {}
        public function error(\Throwable $throwable): void {}
        public function isCompleted(): bool {}
        public function ignore(): void {}
        public function getAwaitingInfo(): array {}
        public function getCreatedFileAndLine(): array {}
        public function getCreatedLocation(): string {}
        public function getCompletedFileAndLine(): array {}
        public function getCompletedLocation(): string {}
    }

    final class Future implements Completable
    {
        public static function completed(mixed $value = null): Future {}
        public static function failed(\Throwable $throwable): Future {}
        public function __construct(FutureState $state) {}
        public function isCompleted(): bool {}
        public function isCancelled(): bool {}
        public function cancel(?AsyncCancellation $cancellation = null): void {}
        public function ignore(): Future {}
        public function map(callable $map): Future {}
        public function catch(callable $catch): Future {}
        public function finally(callable $finally): Future {}
        public function await(?Completable $cancellation = null): mixed {}
        public function getAwaitingInfo(): array {}
        public function getCreatedFileAndLine(): array {}
        public function getCreatedLocation(): string {}
        public function getCompletedFileAndLine(): array {}
        public function getCompletedLocation(): string {}
    }

    final class Channel implements Awaitable, \IteratorAggregate, \Countable
    {
        public function __construct(int $capacity = 0, int $noProducerTimeout = 0, int $noConsumerTimeout = 0, bool $hardTimeouts = false) {}
        public function send(mixed $value, ?Completable $cancellationToken = null): void {}
        public function sendAsync(mixed $value): bool {}
        public function recv(?Completable $cancellationToken = null): mixed {}
        public function recvAsync(): Future {}
        public function close(): void {}
        public function isClosed(): bool {}
        public function capacity(): int {}
        public function count(): int {}
        public function isEmpty(): bool {}
        public function isFull(): bool {}
        public function getIterator(): \Iterator {}
    }

    final class TaskGroup implements Awaitable, \Countable, \IteratorAggregate
    {
        public function __construct(?int $concurrency = null, ?int $queueLimit = null, ?Scope $scope = null) {}
        public function spawn(callable $task, mixed ...$args): void {}
        public function spawnWithKey(string|int $key, callable $task, mixed ...$args): void {}
        public function all(bool $ignoreErrors = false): Future {}
        public function race(): Future {}
        public function any(): Future {}
        public function getResults(): array {}
        public function getErrors(): array {}
        public function suppressErrors(): void {}
        public function cancel(?AsyncCancellation $cancellation = null): void {}
        public function close(): void {}
        public function dispose(): void {}
        public function isFinished(): bool {}
        public function isClosed(): bool {}
        public function count(): int {}
        public function awaitCompletion(): void {}
        public function finally(\Closure $callback): void {}
        public function getIterator(): \Iterator {}
    }

    final class TaskSet implements Awaitable, \Countable, \IteratorAggregate
    {
        public function __construct(?int $concurrency = null, ?int $queueLimit = null, ?Scope $scope = null) {}
        public function spawn(callable $task, mixed ...$args): void {}
        public function spawnWithKey(string|int $key, callable $task, mixed ...$args): void {}
        public function joinNext(): Future {}
        public function joinAny(): Future {}
        public function joinAll(bool $ignoreErrors = false): Future {}
        public function cancel(?AsyncCancellation $cancellation = null): void {}
        public function close(): void {}
        public function dispose(): void {}
        public function isFinished(): bool {}
        public function isClosed(): bool {}
        public function count(): int {}
        public function awaitCompletion(): void {}
        public function finally(\Closure $callback): void {}
        public function getIterator(): \Iterator {}
    }

    final class Pool implements \Countable, CircuitBreaker
    {
        public function __construct(
            callable $factory,
            ?callable $destructor = null,
            ?callable $healthcheck = null,
            ?callable $beforeAcquire = null,
            ?callable $beforeRelease = null,
            int $min = 0,
            int $max = 10,
            int $healthcheckInterval = 0,
        ) {}
        public function acquire(int $timeout = 0): mixed {}
        public function tryAcquire(): mixed {}
        public function release(mixed $resource): void {}
        public function close(): void {}
        public function isClosed(): bool {}
        public function count(): int {}
        public function idleCount(): int {}
        public function activeCount(): int {}
        public function setCircuitBreakerStrategy(?CircuitBreakerStrategy $strategy): void {}
        public function getState(): CircuitBreakerState {}
        public function activate(): void {}
        public function deactivate(): void {}
        public function recover(): void {}
    }

    final class Timeout implements Completable
    {
        private function __construct() {}
        public function cancel(?AsyncCancellation $cancellation = null): void {}
        public function isCompleted(): bool {}
        public function isCancelled(): bool {}
    }

    final readonly class FileSystemEvent
    {
        public string $path;
        public ?string $filename;
        public bool $renamed;
        public bool $changed;
    }

    final class FileSystemWatcher implements Awaitable, \IteratorAggregate
    {
        public function __construct(string $path, bool $recursive = false, bool $coalesce = true, int $debounceMs = 0, int $maxHoldMs = 0, array $extensions = []) {}
        public function close(): void {}
        public function isClosed(): bool {}
        public function getIterator(): \Iterator {}
    }

    final class CpuSnapshot
    {
        public readonly int $wallNs;
        public readonly int $processUserNs;
        public readonly int $processSystemNs;
        public readonly int $systemIdleNs;
        public readonly int $systemBusyNs;
        public readonly int $cpuCount;
        private function __construct() {}
        public static function now(): CpuSnapshot {}
    }

    final class Thread implements Completable
    {
        private function __construct() {}
        public function isRunning(): bool {}
        public function isCompleted(): bool {}
        public function isCancelled(): bool {}
        public function getResult(): mixed {}
        public function getException(): mixed {}
        public function cancel(?AsyncCancellation $cancellation = null): void {}
        public function finally(\Closure $callback): void {}
    }

    final class ThreadChannel implements Awaitable, \Countable
    {
        public function __construct(int $capacity = 16) {}
        public function send(mixed $value, ?Completable $cancellationToken = null): void {}
        public function recv(?Completable $cancellationToken = null): mixed {}
        public function close(): void {}
        public function isClosed(): bool {}
        public function capacity(): int {}
        public function count(): int {}
        public function isEmpty(): bool {}
        public function isFull(): bool {}
    }

    final class ThreadPool
    {
        public function __construct(int $workers = 0, int $queueSize = 0, ?\Closure $bootloader = null, bool $coroutine = false, int $concurrency = 0) {}
        public function submit(callable $task, mixed ...$args): Future {}
        public function map(array $items, callable $task): array {}
        public function close(): void {}
        public function cancel(): void {}
        public function isClosed(): bool {}
        public function getPendingCount(): int {}
        public function getRunningCount(): int {}
        public function getCompletedCount(): int {}
        public function getWorkerCount(): int {}
        public function reload(): void {}
    }

    function spawn(callable $task, mixed ...$args): Coroutine {}
    function spawn_with(ScopeProvider $provider, callable $task, mixed ...$args): Coroutine {}
    function suspend(): void {}
    function protect(\Closure $closure): mixed {}
    function delay(int $ms): void {}
    function await(Completable $awaitable, ?Completable $cancellation = null): mixed {}
    function await_any_or_fail(iterable $triggers, ?Awaitable $cancellation = null): mixed {}
    function await_first_success(iterable $triggers, ?Awaitable $cancellation = null): mixed {}
    function await_all_or_fail(iterable $triggers, ?Awaitable $cancellation = null, bool $preserveKeyOrder = true): array {}
    function await_all(iterable $triggers, ?Awaitable $cancellation = null, bool $preserveKeyOrder = true, bool $fillNull = false): array {}
    function await_any_of_or_fail(int $count, iterable $triggers, ?Awaitable $cancellation = null, bool $preserveKeyOrder = true): array {}
    function await_any_of(int $count, iterable $triggers, ?Awaitable $cancellation = null, bool $preserveKeyOrder = true, bool $fillNull = false): array {}
    function timeout(int $ms): Awaitable {}
    function signal(Signal $signal, ?Completable $cancellation = null): Future {}
    function iterate(iterable $iterable, callable $callback, int $concurrency = 0, bool $cancelPending = true): void {}
    function current_context(): Context {}
    function coroutine_context(): Context {}
    function root_context(): Context {}
    function request_context(): ?Context {}
    function current_coroutine(): Coroutine {}
    function get_coroutines(): array {}
    function graceful_shutdown(?AsyncCancellation $cancellationError = null): void {}
    function spawn_thread(\Closure $task, bool $inherit = true, ?\Closure $bootloader = null): Thread {}
    function available_parallelism(): int {}
    function runtime_stats(): array {}
    function cpu_usage(): array {}
    function loadavg(): ?array {}
}
