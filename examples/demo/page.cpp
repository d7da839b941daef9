#include "page.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <weft/weft.hpp>

namespace demo {
namespace {

constexpr std::string_view head = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>weft</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root { color-scheme: light dark; --line: #8884; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin-bottom: 0; } h1 + p { margin-top: 0; opacity: .7; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .75rem; }
dl div { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .75rem; }
dt { font-size: .8rem; opacity: .7; } dd { margin: 0; font-size: 1.4rem; font-variant-numeric: tabular-nums; }
pre { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; overflow-x: auto; font-size: .85rem; }
nav a { margin-right: 1rem; } output { font-family: ui-monospace, monospace; }
</style></head><body>
<h1>weft</h1><p>This page was made by one coroutine. These are all of them.</p>
)";

constexpr std::string_view tail = R"(
<nav><a href="/delay/100">/delay/100</a><a href="/fetch?n=10">/fetch?n=10</a><a href="/file">/file</a><a href="/exec">/exec</a></nav>
<form id="talk"><label>WebSocket: <input id="word" value="hello"></label> <button>send</button> <output id="heard"></output></form>
<script>
const scheme = location.protocol === "https:" ? "wss://" : "ws://";
const socket = new WebSocket(scheme + location.host + "/ws");
socket.onmessage = (event) => { document.getElementById("heard").value = event.data; };
document.getElementById("talk").onsubmit = (event) => {
  event.preventDefault();
  socket.send(document.getElementById("word").value);
};
setInterval(async () => {
  const answer = await fetch("/").catch(() => null);
  if (!answer) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const id of ["figures", "coroutines"])
    document.getElementById(id).replaceWith(fresh.getElementById(id));
}, 1000);
</script>
</body></html>
)";

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

/// 1234567 as "1 234 567", with spaces that do not break.
std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, "\u202f");
  return digits;
}

}  // namespace

std::string page() {
  const weft::Stats stats = weft::stats();
  const std::pair<const char*, std::uint64_t> figures[] = {
      {"coroutines", stats.coroutines},
      {"ready", stats.queued},
      {"events awaited", stats.active_events},
      {"switches", stats.switches},
      {"stacks made", stats.contexts_created},
      {"stacks used again", stats.contexts_reused},
      {"stacks resting", stats.contexts_pooled},
      {"KiB of stacks reserved", stats.stack_bytes_reserved / 1024},
      {"polls of the outside", stats.reactor_ticks},
      {"sleeps", stats.reactor_waits},
  };
  std::string html{head};
  html += "<dl id=\"figures\">";
  for (const auto& [name, value] : figures) {
    html += "<div><dt>" + std::string{name} + "</dt><dd>" + grouped(value) + "</dd></div>";
  }
  html += "</dl>\n<pre id=\"coroutines\">" + escaped(weft::dump()) + "</pre>";
  html += tail;
  return html;
}

}  // namespace demo
