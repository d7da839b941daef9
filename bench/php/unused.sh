#!/usr/bin/env bash
# What the extension costs a script that does not use it: instructions of PHP with and without it.
set -euo pipefail
cd "$(dirname "$0")/../.."
script=$(mktemp --suffix=.php)
trap 'rm -f "$script"' EXIT
cat >"$script" <<'PHP'
<?php
function fibonacci($n) { return $n < 2 ? $n : fibonacci($n - 1) + fibonacci($n - 2); }
fibonacci(22);
for ($i = 0; $i < 3000; $i++) file_put_contents('/dev/null', strrev(serialize(range(1, 20))));
PHP
count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null php -n "$@" "$script" 2>&1 |
    sed -n 's/.*Collected : //p'
}
# Loading costs once; an empty script shows how much.
without=$(count) with=$(count -d "extension=$PWD/build/php/weft.so")
echo '<?php' >"$script"
load=$(($(count -d "extension=$PWD/build/php/weft.so") - $(count)))
echo "without $without, with $with of which loading $load: $(((with - load - without) * 10000 / without)) of 10000 more"
