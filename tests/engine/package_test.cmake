# Installs the engine into a folder of its own, builds the example against that and runs it.
# -DBUILD: the build folder; -DEXAMPLE: the example's source; -DFOLDER: to work in, replaced.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE output)
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${FOLDER})
run(${CMAKE_COMMAND} --install ${BUILD} --component burin --prefix ${FOLDER}/installed)
run(${CMAKE_COMMAND} -S ${EXAMPLE} -B ${FOLDER}/build -G ${GENERATOR}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${FOLDER}/installed)
run(${CMAKE_COMMAND} --build ${FOLDER}/build)
run(${FOLDER}/build/example ${FOLDER}/orders.db)
if(NOT output STREQUAL "1 first\n2 second\n")
  message(FATAL_ERROR "the example printed: ${output}")
endif()
file(REMOVE_RECURSE ${FOLDER})
