# The bridge with the libraries it is made for, and real servers: `tools/services up` first.

foreach(library IN ITEMS libpq libcurl hiredis libmariadb)
  pkg_check_modules(SERVICES_${library} IMPORTED_TARGET ${library})
  if(NOT SERVICES_${library}_FOUND)
    message(STATUS "No tests with real servers: ${library} is missing (tools/setup)")
    return()
  endif()
endforeach()
find_package(OpenSSL REQUIRED)
weft_test_program(bridge_services_test weft weft_testing bridge/services/services_test.cpp
                  bridge/services/killed_test.cpp bridge/services/cancel_test.cpp)
# hiredis brings a definition that the precompiled headers do not have.
set_target_properties(bridge_services_test PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
target_link_libraries(bridge_services_test
                      PRIVATE weft_bridge PkgConfig::SERVICES_libpq PkgConfig::SERVICES_libcurl
                              PkgConfig::SERVICES_hiredis PkgConfig::SERVICES_libmariadb OpenSSL::SSL)
add_test(NAME services.bridge
         COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/with_services.py
                 $<TARGET_FILE:bridge_services_test>)
set_tests_properties(services.bridge PROPERTIES LABELS services TIMEOUT 120 RUN_SERIAL TRUE
                                                SKIP_RETURN_CODE 77)
