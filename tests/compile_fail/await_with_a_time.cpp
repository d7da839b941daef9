// Says: a token is an event: write timeout(50ms) where 50ms was given

#include <chrono>

#include <weft/await.hpp>

void f(weft::Event& event) { weft::await(event, std::chrono::milliseconds{50}); }
