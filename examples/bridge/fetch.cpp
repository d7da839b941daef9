// Fifty transfers at the same time with curl_easy_perform(), each in a coroutine.
//
// WEFT_HTTP_PORT says where the server is; `tools/services up` starts one.
//
// Prints:
//   50 transfers of 40000 bytes
//   each took 0.2 s or more, all together less than a second

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <curl/curl.h>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

#include <weft/bridge.hpp>
#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

std::size_t append(char* data, std::size_t size, std::size_t count, void* to) {
  static_cast<std::string*>(to)->append(data, size * count);
  return size * count;
}

std::string fetch(const std::string& url, const char* range) {
  std::string body;
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> easy{curl_easy_init(),
                                                                 &curl_easy_cleanup};
  curl_easy_setopt(easy.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy.get(), CURLOPT_RANGE, range);
  curl_easy_setopt(easy.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy.get(), CURLOPT_WRITEFUNCTION, &append);
  curl_easy_setopt(easy.get(), CURLOPT_WRITEDATA, &body);
  const CURLcode code = curl_easy_perform(easy.get());
  if (code != CURLE_OK) throw std::runtime_error{curl_easy_strerror(code)};
  return body;
}

}  // namespace

int main() {
  constexpr int transfers = 50;
  curl_global_init(CURL_GLOBAL_DEFAULT);
  weft::bridge::install();
  const std::string url =
      "http://127.0.0.1:" + std::string{std::getenv("WEFT_HTTP_PORT")} + "/slow/large.txt";
  weft::run([&] {
    const auto start = weft::now();
    std::size_t right = 0;
    bool slow = true;
    weft::with_scope([&](weft::Scope& scope) {
      for (int i = 0; i < transfers; ++i) {
        scope.spawn([&] {
          const std::string body = fetch(url, "0-39999");
          if (body == std::string(40'000, 'x')) ++right;
          slow = slow && weft::now() - start >= 150ms;
        });
      }
    });
    std::cout << right << " transfers of 40000 bytes\n"
              << "each took 0.2 s or more, all together "
              << (slow && weft::now() - start < 1s ? "less than a second\n" : "too long\n");
  });
}
