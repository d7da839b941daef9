# Run before a shared library is linked: writes the version script SCRIPT from MAP, with the symbols of the files in OBJECTS
# that the names in LIST hide. They must stand in the script one by one, because in linkers a pattern for local symbols
# gives way to one for global symbols. NM lists the symbols.

file(STRINGS "${LIST}" names REGEX "^[^#]")
set(patterns)
foreach(name IN LISTS names)
  string(REGEX REPLACE "::[*]$" "" whole "${name}")
  string(REPLACE "::" ";" parts "${whole}")
  set(mangled)
  foreach(part IN LISTS parts)
    string(LENGTH "${part}" length)
    string(APPEND mangled "${length}${part}")
  endforeach()
  # Of a class also the tables, the objects of its type, and the thunks.
  list(APPEND patterns "^_Z(T[ISV]|Th[n0-9]+_|Tv[n0-9]+_[n0-9]+_)?N[KRO]*${mangled}")
endforeach()

file(STRINGS "${OBJECTS}" objects REGEX "[.]o$")
execute_process(COMMAND "${NM}" --defined-only --extern-only --format=posix ${objects}
                OUTPUT_VARIABLE lines ERROR_QUIET)  # objects for an optimiser of the whole program have none
string(REGEX MATCHALL "_Z[A-Za-z0-9_]*4weft[A-Za-z0-9_]+ " symbols "${lines}")
list(TRANSFORM symbols STRIP)
list(REMOVE_DUPLICATES symbols)
set(hidden)
foreach(pattern IN LISTS patterns)
  set(found ${symbols})
  list(FILTER found INCLUDE REGEX "${pattern}")
  list(APPEND hidden ${found})
endforeach()
list(REMOVE_DUPLICATES hidden)
list(JOIN hidden "; " hidden)
file(READ "${MAP}" script)
string(REPLACE "  local:\n" "  local:\n    ${hidden};\n" script "${script}")
string(REPLACE "    ;\n" "" script "${script}")
file(WRITE "${SCRIPT}" "${script}")
