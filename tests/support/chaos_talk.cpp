#include "chaos_talk.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

namespace weft_test {
namespace {

/// `size` bytes of every conversation from offset `at` on. No part repeats, so that a lost or
/// doubled byte shows.
std::string said(std::size_t at, std::size_t size) {
  std::string text(size, '\0');
  for (char& byte : text) {
    std::uint64_t mixed = at++ * 0x9e3779b97f4a7c15U;
    mixed ^= mixed >> 29U;
    byte = static_cast<char>(mixed * 0xbf58476d1ce4e5b9U >> 56U);
  }
  return text;
}

}  // namespace

void ChaosTalk::failed(std::exception_ptr error) {
  const std::string objection = objection_to(error);
  if (wrong_.empty()) wrong_ = objection;
  errors_.push_back(std::move(error));
}

/// Writes `piece` with one of the write operations, chosen at random.
void ChaosTalk::say(weft::TcpStream& stream, std::string_view piece) {
  switch (random_.below(4)) {
    case 0:
      return patiently([&](weft::Token token) { stream.write_all(piece, token); });
    case 1:
      while (!piece.empty()) {
        piece.remove_prefix(
            patiently([&](weft::Token token) { return stream.write_some(piece, token); }));
      }
      return;
    default: {
      const std::size_t cut = random_.below(piece.size() + 1);
      const auto request = stream.io().write(std::vector<std::string>{
          std::string{piece.substr(0, cut)}, std::string{piece.substr(cut)}});
      if (!request->is_completed()) {
        patiently([&](weft::Token token) { weft::await(*request, token); });
      }
      if (request->error() != nullptr) std::rethrow_exception(request->error());
      if (request->transferred() != static_cast<std::int64_t>(piece.size())) {
        wrong_ = "a write was completed though not all was written";
      }
    }
  }
}

/// Reads some bytes, none at the end, with one of the read operations, chosen at random.
std::string ChaosTalk::listen(weft::TcpStream& stream) {
  std::string piece(random_.size(20'000), '\0');
  switch (random_.below(4)) {
    case 0: {
      const auto request = stream.io().read(piece.size());
      if (!request->is_completed()) {
        patiently([&](weft::Token token) { weft::await(*request, token); });
      }
      if (request->error() != nullptr) std::rethrow_exception(request->error());
      piece = request->data();
      break;
    }
    case 1:  // if not all bytes arrive, the next read returns them
      try {
        patiently([&](weft::Token token) { stream.read_exactly(piece, token); });
        break;
      } catch (const std::system_error& error) {
        if (error.code().value() != ENODATA) throw;
      }
      [[fallthrough]];
    default:
      piece.resize(patiently([&](weft::Token token) { return stream.read_some(piece, token); }));
  }
  if (piece != said(received_, piece.size())) {
    wrong_ = "other bytes than those said, from " + std::to_string(received_) + " on";
  }
  received_ += piece.size();
  return piece;
}

void ChaosTalk::ask(weft::TcpStream& stream, std::size_t bytes) {
  weft::with_scope([&](weft::Scope& scope) {
    scope.spawn([&] {
      allowing_errors([&] {
        for (std::size_t at = 0; at < bytes;) {
          const std::size_t size = std::min(bytes - at, random_.size(20'000));
          say(stream, said(at, size));
          at += size;
          if (random_.one_in(8)) weft::delay(random_.time(std::chrono::milliseconds{1}));
        }
        stream.shutdown_write();
      });
    });
    allowing_errors([&] {
      while (!listen(stream).empty()) {
      }
      ended_ = true;
    });
  });
}

void ChaosTalk::echo(weft::TcpStream& stream) {
  allowing_errors([&] {
    for (std::string piece = listen(stream); !piece.empty(); piece = listen(stream)) {
      say(stream, piece);
    }
    stream.shutdown_write();
    ended_ = true;
  });
}

std::string objection_to(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const weft::TimedOut&) {
    return {};
  } catch (const weft::OperationCancelled& cancelled) {  // of an await, with the cause of its token
    return cancelled.previous() ? objection_to(cancelled.previous()) : "cancelled without a cause";
  } catch (const std::system_error& failure) {
    const std::string_view text{failure.what()};
    if (text.find("Stream was closed") != std::string_view::npos) return {};
    static constexpr std::array codes{ECONNRESET, EPIPE, ECONNREFUSED, ETIMEDOUT};
    if (std::find(codes.begin(), codes.end(), failure.code().value()) == codes.end()) {
      return "an error that no network causes: " + std::string{text};
    }
    for (const std::string_view verb : {"read from", "write to", "connect to", "end"}) {
      if (text.find(std::string{verb} + " TCP 127.0.0.1:") == 0) return {};
    }
    return "does not say what was tried with whom: " + std::string{text};
  } catch (const std::exception& other) {
    return std::string{"an error of the wrong kind: "} + other.what();
  }
}

std::vector<std::uint64_t> chaos_seeds(std::uint64_t first, std::uint64_t count) {
  if (const char* const asked = std::getenv("WEFT_CHAOS_SEED")) {
    return {std::strtoull(asked, nullptr, 10)};
  }
  std::vector<std::uint64_t> seeds(count);
  for (std::uint64_t& seed : seeds) seed = first++;
  return seeds;
}

std::vector<std::string> listed_descriptors() {
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator{"/proc/self/fd"}) {
    std::error_code gone;
    const std::string what = std::filesystem::read_symlink(entry.path(), gone).string();
    if (what.find("/proc/") == 0) continue;  // the directory that is being read
    all.push_back(entry.path().filename().string() + ": " + what);
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace weft_test
