# Run at the end of an installation without symbolic links, a wheel's, where each would become a copy of a library: the
# names by which programs are linked with the MPI libraries become files for the linker that name the libraries.
file(GLOB_RECURSE names LIST_DIRECTORIES false "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/unisono/mpi/*.so")
foreach(name ${names})
    if(IS_SYMLINK ${name})
        file(READ_SYMLINK ${name} library)
        file(REMOVE ${name})
        file(WRITE ${name} "INPUT(${library})\n")
    endif()
endforeach()
