#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <netdb.h>
#include <new>
#include <optional>
#include <resolv.h>
#include <string>
#include <utility>
#include <vector>

#include "bridge/hooks.hpp"
#include "bridge/names.hpp"
#include "bridge/wait.hpp"
#include "weft/bridge.hpp"

// res_query and relatives.
namespace weft::bridge {
namespace {

/// A question to name servers: how to ask it, with a resolver and room for the answer.
using Question = std::function<int(res_state, unsigned char*, int)>;

struct ResolverAnswer {
  Question ask;
  std::vector<unsigned char> answer;
  std::optional<struct __res_state> settings;  // of the caller; only its plain fields are read
  int result = -1;
  int h_error = 0;
  int error = 0;

  /// With a resolver of the worker's own: that of the caller may serve other coroutines meanwhile.
  void run() noexcept {
    struct __res_state own {};
    if (::res_ninit(&own) != 0) {
      error = errno;
      h_error = NETDB_INTERNAL;
      return;
    }
    if (settings) {
      own.options = settings->options;
      own.retrans = settings->retrans;
      own.retry = settings->retry;
      own.ndots = settings->ndots;
      own.nscount = settings->nscount;
      std::copy(std::begin(settings->nsaddr_list), std::end(settings->nsaddr_list),
                std::begin(own.nsaddr_list));
    }
    result = ask(&own, answer.data(), static_cast<int>(answer.size()));
    error = errno;
    h_error = own.res_h_errno;
    ::res_nclose(&own);
  }
};

/// `settings` are those of the caller; null: those of its thread.
int resolve(const char* function, res_state settings, unsigned char* answer, int room,
            Question ask) {
  const int error = errno;
  try {
    auto data = std::make_shared<ResolverAnswer>();
    data->ask = std::move(ask);
    data->answer.resize(static_cast<std::size_t>(std::max(room, 0)));
    if (settings == nullptr) settings = &_res;
    if ((settings->options & RES_INIT) != 0) data->settings = *settings;
    const auto done = look_up(function, std::move(data), [](ResolverAnswer& mine) { mine.run(); });
    if (done == nullptr) {
      h_errno = NETDB_INTERNAL;
      return -1;
    }
    if (done->result > 0) {
      const auto size = std::min(static_cast<std::size_t>(done->result), done->answer.size());
      std::memcpy(answer, done->answer.data(), size);
    }
    settings->res_h_errno = done->h_error;
    h_errno = done->h_error;
    errno = done->result < 0 ? done->error : error;
    return done->result;
  } catch (const std::bad_alloc&) {
    errno = ENOMEM;
    return -1;
  }
}

/// `call` is res_nquery() or res_nsearch(). Throws std::bad_alloc.
template <class Call>
Question question(Call call, const char* name, int of_class, int type) {
  return [call, name = std::string{name}, of_class, type](res_state state, unsigned char* to,
                                                          int room) {
    return call(state, name.c_str(), of_class, type, to, room);
  };
}

Question question_in(const char* name, const char* domain, int of_class, int type) {
  return [name = std::string{name}, domain = copy_of(domain), of_class, type](
             res_state state, unsigned char* to, int room) {
    return real.res_nquerydomain(state, name.c_str(), raw(domain), of_class, type, to, room);
  };
}

Question made_question(const unsigned char* from, int size) {
  return [bytes = std::vector<unsigned char>(from, from + size)](res_state state, unsigned char* to,
                                                                 int room) {
    return real.res_nsend(state, bytes.data(), static_cast<int>(bytes.size()), to, room);
  };
}

int hooked_res_query(const char* name, int of_class, int type, unsigned char* answer, int room) {
  if (!may_suspend()) return real.res_query(name, of_class, type, answer, room);
  return resolve("res_query", nullptr, answer, room,
                 question(real.res_nquery, name, of_class, type));
}
int hooked_res_search(const char* name, int of_class, int type, unsigned char* answer, int room) {
  if (!may_suspend()) return real.res_search(name, of_class, type, answer, room);
  return resolve("res_search", nullptr, answer, room,
                 question(real.res_nsearch, name, of_class, type));
}
int hooked_res_querydomain(const char* name, const char* domain, int of_class, int type,
                           unsigned char* answer, int room) {
  if (!may_suspend()) return real.res_querydomain(name, domain, of_class, type, answer, room);
  return resolve("res_querydomain", nullptr, answer, room,
                 question_in(name, domain, of_class, type));
}
int hooked_res_send(const unsigned char* from, int size, unsigned char* answer, int room) {
  if (!may_suspend() || size < 0) return real.res_send(from, size, answer, room);
  return resolve("res_send", nullptr, answer, room, made_question(from, size));
}
int hooked_res_nquery(res_state state, const char* name, int of_class, int type,
                      unsigned char* answer, int room) {
  if (!may_suspend()) return real.res_nquery(state, name, of_class, type, answer, room);
  return resolve("res_nquery", state, answer, room,
                 question(real.res_nquery, name, of_class, type));
}
int hooked_res_nsearch(res_state state, const char* name, int of_class, int type,
                       unsigned char* answer, int room) {
  if (!may_suspend()) return real.res_nsearch(state, name, of_class, type, answer, room);
  return resolve("res_nsearch", state, answer, room,
                 question(real.res_nsearch, name, of_class, type));
}
int hooked_res_nquerydomain(res_state state, const char* name, const char* domain, int of_class,
                            int type, unsigned char* answer, int room) {
  if (!may_suspend()) {
    return real.res_nquerydomain(state, name, domain, of_class, type, answer, room);
  }
  return resolve("res_nquerydomain", state, answer, room,
                 question_in(name, domain, of_class, type));
}
int hooked_res_nsend(res_state state, const unsigned char* from, int size, unsigned char* answer,
                     int room) {
  if (!may_suspend() || size < 0) return real.res_nsend(state, from, size, answer, room);
  return resolve("res_nsend", state, answer, room, made_question(from, size));
}

}  // namespace

void add_resolver(Hooks& hooks) {
  // The headers give some of them the name with __, depending on the version of libc.
  const auto add = [&hooks](std::initializer_list<const char*> both, auto* replacement,
                            auto*& behind) {
    for (const char* const name : both) hooks.push_back(hook(name, replacement, behind, names));
  };
  add({"res_query", "__res_query"}, &hooked_res_query, real.res_query);
  add({"res_search", "__res_search"}, &hooked_res_search, real.res_search);
  add({"res_querydomain", "__res_querydomain"}, &hooked_res_querydomain, real.res_querydomain);
  add({"res_send", "__res_send"}, &hooked_res_send, real.res_send);
  add({"res_nquery", "__res_nquery"}, &hooked_res_nquery, real.res_nquery);
  add({"res_nsearch", "__res_nsearch"}, &hooked_res_nsearch, real.res_nsearch);
  add({"res_nquerydomain", "__res_nquerydomain"}, &hooked_res_nquerydomain, real.res_nquerydomain);
  add({"res_nsend", "__res_nsend"}, &hooked_res_nsend, real.res_nsend);
}

}  // namespace weft::bridge
