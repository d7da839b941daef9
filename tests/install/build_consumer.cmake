# Copies the consumer project to WORK, builds it in the given WAY and runs it.

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${WORK}")
file(COPY "${CMAKE_CURRENT_LIST_DIR}/consumer/" DESTINATION "${WORK}/source")

if(WAY STREQUAL "pkg_config")
  run(${CMAKE_COMMAND} -E env "PKG_CONFIG_PATH=${PREFIX}/${LIBDIR}/pkgconfig"
      "LD_LIBRARY_PATH=${PREFIX}/${LIBDIR}"
      make -C "${WORK}/source" "CXX=${CXX}" run)
  return()
endif()

run(${CMAKE_COMMAND} -G "${GENERATOR}" -S "${WORK}/source" -B "${WORK}/build"
    "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}"
    "-DCMAKE_PREFIX_PATH=${PREFIX}")
run(${CMAKE_COMMAND} --build "${WORK}/build" --parallel 2)
run("${WORK}/build/consumer")
run("${WORK}/build/explored")
run("${WORK}/build/in_c")
if(BRIDGE)
  run("${WORK}/build/bridged")
endif()
