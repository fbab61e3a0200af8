! A Fortran program with the module mpi_f08 of another library. With any number of ranks.
module functions
    use mpi_f08
    implicit none
    type(MPI_Comm) :: told_of
contains
    subroutine add(in, inout, length, datatype)
        use, intrinsic :: iso_c_binding
        type(c_ptr), value :: in, inout
        integer :: length
        type(MPI_Datatype) :: datatype
        integer, pointer :: from(:), to(:)
        call c_f_pointer(in, from, (/ length /))
        call c_f_pointer(inout, to, (/ length /))
        if (datatype == MPI_INTEGER) to = to + from
    end subroutine

    subroutine told(comm, code)
        type(MPI_Comm) :: comm
        integer :: code
        told_of = comm
    end subroutine

    subroutine one_more(comm, key, extra, in, out, flag, error)
        type(MPI_Comm) :: comm
        integer :: key, error
        integer(kind=MPI_ADDRESS_KIND) :: extra, in, out
        logical :: flag
        out = merge(in + extra, 0_MPI_ADDRESS_KIND, comm == MPI_COMM_SELF)
        flag = .true.
        error = MPI_SUCCESS
    end subroutine
end module

program main
    use functions
    implicit none
    integer :: rank, ranks, total, error, out, in, place, length, key, got, dims(2), class, grid(3, 2)
    integer(kind=MPI_ADDRESS_KIND) :: number
    type(MPI_Comm) :: comm, cart
    type(MPI_Request) :: requests(2)
    type(MPI_Status) :: status, statuses(2)
    type(MPI_Op) :: operation
    type(MPI_Datatype) :: row
    type(MPI_Errhandler) :: handler
    type(MPI_Info) :: info
    character(len=MPI_MAX_OBJECT_NAME) :: name
    logical :: flag, periods(2)
    double precision :: start
    integer, allocatable :: ranked(:)

    call MPI_Init()
    start = MPI_Wtime()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    call MPI_Initialized(flag)
    call check(flag .and. error == MPI_SUCCESS, 'MPI_Initialized')

    total = rank
    call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call check(total == ranks * (ranks - 1) / 2, 'MPI_IN_PLACE')
    call MPI_Op_create(add, .true., operation)
    call MPI_Allreduce(rank, got, 1, MPI_INTEGER, operation, MPI_COMM_WORLD)
    call check(got == total, 'MPI_Op_create')
    call MPI_Op_free(operation)
    allocate(ranked(max(ranks, 2)))
    call MPI_Allgather(rank, 1, MPI_INTEGER, ranked, 1, MPI_INTEGER, MPI_COMM_WORLD)
    call check(sum(ranked(:ranks)) == total .and. ranked(rank + 1) == rank, 'MPI_Allgather')

    out = rank
    call MPI_Irecv(in, 1, MPI_INTEGER, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(out, 1, MPI_INTEGER, mod(rank + 1, ranks), 7, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, statuses)
    call MPI_Get_count(statuses(1), MPI_INTEGER, got)
    call check(in == mod(rank + ranks - 1, ranks) .and. statuses(1)%MPI_SOURCE == in .and. statuses(1)%MPI_TAG == 7 .and. got == 1, 'MPI_Waitall')
    requests(1) = MPI_REQUEST_NULL
    call MPI_Irecv(in, 1, MPI_INTEGER, MPI_PROC_NULL, 7, MPI_COMM_WORLD, requests(2))
    call MPI_Waitany(2, requests, place, status)
    call check(place == 2 .and. status%MPI_SOURCE == MPI_PROC_NULL, 'MPI_Waitany')
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, rank, 0, in, 1, MPI_INTEGER, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(in == rank, 'MPI_Sendrecv')
    call MPI_Ibarrier(MPI_COMM_WORLD, requests(1))
    call MPI_Wait(requests(1), status)

    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call MPI_Comm_set_name(comm, 'a name  ')
    call MPI_Comm_get_name(comm, name, length)
    call check(length == 6 .and. name == 'a name', 'MPI_Comm_get_name')
    call MPI_Comm_create_errhandler(told, handler)
    call MPI_Comm_set_errhandler(comm, handler)
    call MPI_Send(rank, 1, MPI_INTEGER, ranks, 7, comm, error)
    call MPI_Error_class(error, class)
    call check(class == MPI_ERR_RANK .and. told_of == comm, 'MPI_Comm_create_errhandler')
    call MPI_Comm_free(comm)
    call check(comm == MPI_COMM_NULL, 'MPI_Comm_free')

    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, number, flag)
    call check(flag .and. number >= 32767, 'MPI_TAG_UB')
    call MPI_Comm_create_keyval(one_more, MPI_COMM_NULL_DELETE_FN, key, 5_MPI_ADDRESS_KIND)
    call MPI_Comm_set_attr(MPI_COMM_SELF, key, 41_MPI_ADDRESS_KIND)
    call MPI_Comm_dup(MPI_COMM_SELF, comm)
    call MPI_Comm_get_attr(comm, key, number, flag)
    call check(flag .and. number == 46, 'attributes')
    call MPI_Comm_free(comm)

    dims = 0
    call MPI_Dims_create(ranks, 2, dims)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, (/ .true., .false. /), .false., cart)
    call MPI_Cart_get(cart, 2, dims, periods, ranked)
    call check(periods(1) .and. .not. periods(2) .and. product(dims) == ranks, 'MPI_Cart_get')
    call MPI_Comm_free(cart)
    call MPI_Type_vector(3, 1, 2, MPI_INTEGER, row)
    call MPI_Type_commit(row)
    call MPI_Type_size(row, got)
    call check(got == 12, 'MPI_Type_vector')
    call MPI_Type_free(row)

    grid = rank
    call MPI_Bcast(grid(:, 2), 3, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    call check(error == MPI_SUCCESS .and. all(grid(:, 2) == 0) .and. all(grid(:, 1) == rank), 'MPI_Bcast of a column')
#ifdef MPICH
    call MPI_Bcast(grid(2, :), 2, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    call check(error == MPI_SUCCESS .and. all(grid(2, :) == 0) .and. grid(1, 1) == rank .and. grid(3, 1) == rank, 'MPI_Bcast of a row')
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
    call MPI_Allreduce(MPI_IN_PLACE, grid(1, :), 2, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, error)
    call MPI_Error_class(error, class)
    call check(class == MPI_ERR_UNSUPPORTED_OPERATION, 'MPI_Allreduce of a row')
#endif

    call MPI_Info_create(info)
    call MPI_Info_set(info, 'key', 'a value')
    call MPI_Info_get(info, 'key', len(name), name, flag)
    call check(flag .and. name == 'a value', 'MPI_Info_get')
    call MPI_Info_free(info)
    call check(MPI_Wtime() >= start, 'MPI_Wtime')
    call MPI_Finalize()
contains
    subroutine check(holds, what)
        logical, intent(in) :: holds
        character(len=*), intent(in) :: what
        if (.not. holds) then
            print *, what, ' is wrong at rank ', rank
            call MPI_Abort(MPI_COMM_WORLD, 1)
        end if
    end subroutine
end program
