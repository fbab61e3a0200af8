! A Fortran program of MPI: heat in a plate of which each rank of a grid has a part, with borders sent as derived types,
! a communicator for each row of the grid, an operation of the program's own, and text from one rank to all.
program heat
    use mpi
    implicit none
    integer, parameter :: points = 12, steps = 40
    double precision :: plate(0:points + 1, 0:points + 1), next(0:points + 1, 0:points + 1), change, most, sum_here, total
    integer :: error, rank, ranks, grid, dims(2), at(2), left, right, up, down, row, column, step, operation, rows, place, i
    integer :: status(MPI_STATUS_SIZE, 4), requests(4), counts(1)
    integer, allocatable :: everyone(:)
    logical :: periods(2)
    character(len=32) :: title
    external :: further

    call MPI_Init(error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    dims = 0
    periods = .false.
    call MPI_Dims_create(ranks, 2, dims, error)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .true., grid, error)
    call MPI_Comm_rank(grid, rank, error)
    call MPI_Cart_coords(grid, rank, 2, at, error)
    call MPI_Cart_shift(grid, 0, 1, up, down, error)
    call MPI_Cart_shift(grid, 1, 1, left, right, error)
    call MPI_Type_vector(points, 1, points + 2, MPI_DOUBLE_PRECISION, row, error)
    call MPI_Type_contiguous(points, MPI_DOUBLE_PRECISION, column, error)
    call MPI_Type_commit(row, error)
    call MPI_Type_commit(column, error)
    title = ''
    if (rank == 0) title = 'a plate with one warm side'
    call MPI_Bcast(title, len(title), MPI_CHARACTER, 0, grid, error)
    plate = 0
    if (up == MPI_PROC_NULL) plate(0, :) = 1
    next = plate
    do step = 1, steps
        call MPI_Irecv(plate(1, 0), 1, column, left, 1, grid, requests(1), error)
        call MPI_Irecv(plate(1, points + 1), 1, column, right, 2, grid, requests(2), error)
        call MPI_Isend(plate(1, 1), 1, column, left, 2, grid, requests(3), error)
        call MPI_Isend(plate(1, points), 1, column, right, 1, grid, requests(4), error)
        call MPI_Sendrecv(plate(1, 1), 1, row, up, 3, plate(points + 1, 1), 1, row, down, 3, grid, MPI_STATUS_IGNORE, error)
        call MPI_Sendrecv(plate(points, 1), 1, row, down, 4, plate(0, 1), 1, row, up, 4, grid, MPI_STATUS_IGNORE, error)
        call MPI_Waitall(4, requests, status, error)
        next(1:points, 1:points) = (plate(0:points - 1, 1:points) + plate(2:points + 1, 1:points) &
                                    + plate(1:points, 0:points - 1) + plate(1:points, 2:points + 1)) / 4
        change = maxval(abs(next - plate))
        plate(1:points, 1:points) = next(1:points, 1:points)
    end do
    sum_here = sum(plate(1:points, 1:points))
    call MPI_Op_create(further, .true., operation, error)
    call MPI_Allreduce(change, most, 1, MPI_DOUBLE_PRECISION, operation, grid, error)
    call MPI_Comm_split(grid, at(1), at(2), rows, error)
    call MPI_Comm_rank(rows, place, error)
    call MPI_Reduce(sum_here, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, rows, error)
    if (place == 0) print '(a, i3, a, f16.10)', 'row', at(1), ' has', total
    allocate (everyone(ranks))
    counts(1) = 10 * at(1) + at(2)
    call MPI_Allgather(counts, 1, MPI_INTEGER, everyone, 1, MPI_INTEGER, grid, error)
    if (rank == 0) print '(a, a, f16.10, a, 64i3)', trim(title), ': change', most, ', places', (everyone(i), i=1, ranks)
    call MPI_Op_free(operation, error)
    call MPI_Type_free(row, error)
    call MPI_Comm_free(rows, error)
    call MPI_Finalize(error)
end program

! The greater of two numbers.
subroutine further(in, inout, length, datatype)
    integer :: length, datatype
    double precision :: in(length), inout(length)
    inout = max(in, inout)
end subroutine
