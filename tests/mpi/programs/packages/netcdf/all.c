// A file of NetCDF by all ranks: fixed and unlimited dimensions, strides, alone and together.
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <stdio.h>

static void check(int error, int line) {
    if (error) {
        fprintf(stderr, "line %d: %s\n", line, nc_strerror(error));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

#define TRY(call) check(call, __LINE__)

int main(int argc, char **argv) {
    const char *name = "all.nc";
    MPI_Init(&argc, &argv);
    int rank, size, file, dims[2], var, rec, tdim;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    TRY(nc_create_par(name, NC_NETCDF4 | NC_CLOBBER, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
    TRY(nc_def_dim(file, "y", 6 * size, &dims[0]));
    TRY(nc_def_dim(file, "x", 50, &dims[1]));
    TRY(nc_def_dim(file, "t", NC_UNLIMITED, &tdim));
    TRY(nc_def_var(file, "v", NC_DOUBLE, 2, dims, &var));
    int rd[2] = {tdim, dims[0]};
    TRY(nc_def_var(file, "r", NC_INT, 2, rd, &rec));
    TRY(nc_enddef(file));
    double d[6][50];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 50; j++)
            d[i][j] = rank * 1000 + i * 50 + j;
    TRY(nc_var_par_access(file, rec, NC_COLLECTIVE));
    size_t start[2] = {rank, 0}, count[2] = {6, 50};
    ptrdiff_t stride[2] = {size, 1};
    TRY(nc_put_vars_double(file, var, start, count, stride, &d[0][0]));
    int r[2][6];
    for (int i = 0; i < 12; i++)
        r[i / 6][i % 6] = rank * 100 + i;
    size_t rs[2] = {0, 6 * rank}, rc[2] = {2, 6};
    TRY(nc_put_vara_int(file, rec, rs, rc, &r[0][0]));
    TRY(nc_close(file));
    TRY(nc_open_par(name, NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
    TRY(nc_var_par_access(file, var, NC_COLLECTIVE));
    double back[50];
    size_t bs[2] = {(rank + 1) % size, 0}, bc[2] = {1, 50};
    TRY(nc_get_vara_double(file, var, bs, bc, back));
    printf("rank %d reads %g %g\n", rank, back[0], back[49]);
    TRY(nc_close(file));
    MPI_Finalize();
}
