# How weft's own code is compiled: warnings, hardening, sanitizers. Users of the library get none of
# the warnings; a sanitizer reaches them, because both sides must agree on it.

include(CheckCXXCompilerFlag)
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
    set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g" CACHE STRING "Flags of RelWithDebInfo" FORCE)
  endif()
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  find_program(WEFT_CCACHE ccache)
  if(WEFT_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    # Otherwise it keeps nothing that was compiled with a precompiled header.
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
                                    CCACHE_SLOPPINESS=pch_defines,time_macros "${WEFT_CCACHE}")
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
      # But not for the precompiled header itself: ccache would take the old one, which lies there and includes
      # nothing, for what the new one is made of, and give out whatever followed it before.
      list(APPEND CMAKE_CXX_COMPILE_OPTIONS_CREATE_PCH -fno-pch-preprocess)
    else()
      add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
    endif()
  endif()
endif()

set(weft_warnings
    -Wall
    -Wextra
    -Wpedantic
    -Wshadow
    -Wconversion
    -Wsign-conversion
    -Wold-style-cast
    -Wcast-qual
    -Wnon-virtual-dtor
    -Woverloaded-virtual)
if(WEFT_WERROR)
  list(APPEND weft_warnings -Werror)
endif()

if(WEFT_SANITIZE STREQUAL "address")
  set(weft_sanitize -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
elseif(WEFT_SANITIZE STREQUAL "thread")
  set(weft_sanitize -fsanitize=thread -fno-omit-frame-pointer)
elseif(NOT WEFT_SANITIZE STREQUAL "")
  message(FATAL_ERROR "WEFT_SANITIZE must be empty, address or thread, not '${WEFT_SANITIZE}'")
endif()

# A sanitizer that weft's build does not know of would be refused in programs with the same one.
set(weft_given_flags "${CMAKE_CXX_FLAGS}")
string(TOUPPER "${CMAKE_BUILD_TYPE}" weft_config)
if(weft_config)
  string(APPEND weft_given_flags " ${CMAKE_CXX_FLAGS_${weft_config}}")
endif()
foreach(sanitizer IN ITEMS address thread)
  if(weft_given_flags MATCHES "-fsanitize=([a-z-]+,)*${sanitizer}(,|[ ]|$)"
     AND NOT WEFT_SANITIZE STREQUAL sanitizer)
    message(FATAL_ERROR "CMAKE_CXX_FLAGS has -fsanitize=${sanitizer}, of which weft must know: "
                        "set -DWEFT_SANITIZE=${sanitizer}")
  endif()
endforeach()

# Adds each flag the compiler knows to the list named by `list`.
function(weft_collect_flags list)
  set(known "${${list}}")
  foreach(flag IN LISTS ARGN)
    string(MAKE_C_IDENTIFIER "WEFT_HAS${flag}" has)
    check_cxx_compiler_flag("${flag}" ${has})
    if(${has})
      list(APPEND known "${flag}")
    endif()
  endforeach()
  set(${list} "${known}" PARENT_SCOPE)
endfunction()

# Without probing, a large frame steps over the guard of its stack: never left out.
set(weft_hardening -fstack-clash-protection -D_GLIBCXX_ASSERTIONS)
weft_collect_flags(weft_hardening -fstack-protector-strong -fcf-protection=branch
                   -ftrivial-auto-var-init=zero)
if(NOT "-ftrivial-auto-var-init=zero" IN_LIST weft_hardening)
  # clang before 16 wants a second flag with it.
  set(zero -ftrivial-auto-var-init=zero
           -enable-trivial-auto-var-init-zero-knowing-it-will-be-removed-from-clang)
  string(JOIN " " zero_flags ${zero})
  check_cxx_compiler_flag("${zero_flags}" WEFT_HAS_CLANG_ZERO_INIT)
  if(WEFT_HAS_CLANG_ZERO_INIT)
    list(APPEND weft_hardening ${zero})
  endif()
endif()
if(NOT WEFT_SANITIZE)
  # The sanitizers intercept the same functions; fortified calls would go past them. It needs an
  # optimising build, and a distribution may have set its own level.
  set(optimised $<CONFIG:Release,RelWithDebInfo,MinSizeRel>)
  list(APPEND weft_hardening $<${optimised}:-U_FORTIFY_SOURCE>
       $<${optimised}:-D_FORTIFY_SOURCE=3>)
endif()
set(weft_link_hardening -Wl,-z,relro,-z,now,-z,noexecstack)
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_INTERPROCEDURAL_OPTIMIZATION)
  # There are many programs to be linked, and this linker takes a quarter of the time.
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=lld WEFT_HAS_LLD)
  if(WEFT_HAS_LLD)
    list(APPEND weft_link_hardening -fuse-ld=lld)
  endif()
endif()

# For every target of weft's own: libraries, tests, examples, benchmarks.
function(weft_flags target)
  target_compile_options(${target} PRIVATE ${weft_warnings} ${weft_hardening})
  target_link_options(${target} PRIVATE ${weft_link_hardening})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF)
endfunction()

set(weft_library_options -ftls-model=initial-exec)
weft_collect_flags(weft_library_options -fno-semantic-interposition)
# g++ clears a variable of a hundred bytes with `rep stos`, which takes as long as a whole switch.
weft_collect_flags(weft_library_options
                   -mmemset-strategy=unrolled_loop:256:noalign,libcall:-1:noalign)

# For the libraries only.
function(weft_library_flags target)
  target_compile_options(${target} PRIVATE ${weft_library_options} PUBLIC ${weft_sanitize})
  target_link_options(${target} PUBLIC ${weft_sanitize})
endfunction()
