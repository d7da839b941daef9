// Workers that wait for jobs with BLPOP, through hiredis and its blocking interface.
//
// WEFT_REDIS_PORT says where the server is; `tools/services up` starts one.
//
// Prints:
//   20 workers wait
//   20 jobs done

#include <cstdlib>
#include <hiredis/hiredis.h>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

#include <weft/bridge.hpp>
#include <weft/weft.hpp>

namespace {

class Redis {
 public:
  Redis() : context_{redisConnect("127.0.0.1", std::atoi(std::getenv("WEFT_REDIS_PORT")))} {
    if (context_ == nullptr || context_->err != 0) throw std::runtime_error{"no connection"};
  }
  ~Redis() { redisFree(context_); }
  Redis(const Redis&) = delete;
  Redis& operator=(const Redis&) = delete;

  using Reply = std::unique_ptr<redisReply, decltype(&freeReplyObject)>;
  template <class... Arguments>
  Reply ask(const char* format, Arguments... arguments) {
    Reply reply{static_cast<redisReply*>(redisCommand(context_, format, arguments...)),
                &freeReplyObject};
    if (reply == nullptr) throw std::runtime_error{context_->errstr};
    return reply;
  }

 private:
  redisContext* context_;
};

}  // namespace

int main() {
  constexpr int workers = 20;
  weft::bridge::install();
  weft::run([] {
    Redis{}.ask("DEL jobs");
    int waiting = 0;
    int done = 0;
    weft::with_scope([&](weft::Scope& scope) {
      for (int i = 0; i < workers; ++i) {
        scope.spawn([&] {
          Redis redis;
          ++waiting;
          const auto reply = redis.ask("BLPOP jobs 5");  // the other coroutines run meanwhile
          if (reply->type == REDIS_REPLY_ARRAY) ++done;
        });
      }
      while (waiting < workers) weft::delay(std::chrono::milliseconds{1});
      std::cout << waiting << " workers wait\n";
      Redis redis;
      for (int i = 0; i < workers; ++i) redis.ask("RPUSH jobs %d", i);
    });
    std::cout << done << " jobs done\n";
  });
}
