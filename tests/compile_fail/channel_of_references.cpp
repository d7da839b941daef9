// Says: a channel carries values, not references

#include <weft/channel.hpp>

void f(int& value) {
  weft::Channel<int&> channel{1};
  channel.send(value);
}
