// Many names at once: every lookup is a coroutine, and a slow one delays no other.
//
// All are names of this machine, so that this needs no network. A failed lookup throws an error
// with the name.

#include <algorithm>
#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

struct Question {
  std::string host;
  std::string service;
};

void look_up(const std::vector<Question>& questions) {
  std::vector<weft::Coroutine<std::vector<weft::Address>>> lookups;
  lookups.reserve(questions.size());
  for (const Question& question : questions) {
    lookups.push_back(weft::spawn(
        [question] { return weft::resolve(question.host, question.service, weft::timeout(5s)); }));
  }
  for (const auto& lookup : lookups) {
    try {
      std::vector<weft::Address> found = weft::await(lookup);
      // Where the machine has both, it may name either first.
      std::stable_partition(found.begin(), found.end(), [](const weft::Address& address) {
        return address.family() == weft::Address::Family::ipv4;
      });
      std::cout << found.front().to_string() << "\n";
    } catch (const weft::DnsError& error) {
      std::cout << error.what() << "\n";
    }
  }
}

}  // namespace

int main() {
  weft::run([] {
    look_up({{"localhost", "80"}, {"::1", "443"}, {"localhost", "no-such-service"}});

    const weft::ResolvedName name = weft::resolve_name(weft::Address::parse("127.0.0.1", 80));
    std::cout << name.host << ", " << name.service << "\n";
  });
}

// Prints:
//   127.0.0.1:80
//   [::1]:443
//   DNS error: Servname not supported for ai_socktype (localhost:no-such-service)
//   localhost, http
