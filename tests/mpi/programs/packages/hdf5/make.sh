#!/bin/sh
# HDF5's parallel tests, of its source package, for Debian's library.
set -eu
cd source
echo 'const char *config_srcdir = ".";' >test/H5srcdir_str.h # which its configure makes
for name in t_mpi t_pread t_shapesame t_filters_parallel testphdf5; do
    more=
    [ $name != testphdf5 ] || more="testpar/t_dset.c testpar/t_file.c testpar/t_file_image.c testpar/t_mdset.c testpar/t_ph5basic.c
        testpar/t_coll_chunk.c testpar/t_span_tree.c testpar/t_chunk_alloc.c testpar/t_filter_read.c testpar/t_prop.c testpar/t_coll_md_read.c"
    # shellcheck disable=SC2046,SC2086 # words
    mpicc.openmpi -w -O1 -Isrc -Itest -Itestpar $(pkg-config --cflags --libs-only-L hdf5-openmpi) -o ../$name \
        testpar/$name.c $more test/h5test.c test/testframe.c -lhdf5
done
