! A Fortran program that another library's compiler has compiled: addresses, strings, logicals, statuses, places,
! attributes, and functions of the program. With any number of ranks. Debian's Open MPI has no functions of MPI 4 to
! link with.
program main
#ifdef MODULE
    use mpi
    implicit none
#else
    implicit none
    include 'mpif.h'
#endif
    integer, parameter :: tag = 7
    integer :: error, rank, ranks, total, status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2), requests(2), out, in, place, &
        operation, length, key, numbers(3), comm, got, places(2), info, handler, group, world, types(2), lengths(2), pair, class
    integer(kind=MPI_ADDRESS_KIND) :: number, extra, room, at, places_of(2)
    character(len=12) :: packed
    character(len=MPI_MAX_OBJECT_NAME) :: name
    logical :: flag
    double precision :: start
    external :: add, one_more, told, query, free, cancel
#ifdef MPICH
    logical, external :: c_sees
#endif

    call MPI_Init(error)
    start = MPI_Wtime()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    call MPI_Initialized(flag, error)
    call check(flag, 'MPI_Initialized')

    total = rank
    call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call check(total == ranks * (ranks - 1) / 2, 'MPI_IN_PLACE')
    call MPI_Op_create(add, .true., operation, error)
    call MPI_Allreduce(rank, got, 1, MPI_INTEGER, operation, MPI_COMM_WORLD, error)
    call check(got == total, 'MPI_Op_create')

    out = rank
    call MPI_Irecv(in, 1, MPI_INTEGER, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, requests(1), error)
    call MPI_Isend(out, 1, MPI_INTEGER, mod(rank + 1, ranks), tag, MPI_COMM_WORLD, requests(2), error)
    call MPI_Waitall(2, requests, statuses, error)
    call check(in == mod(rank + ranks - 1, ranks) .and. statuses(MPI_SOURCE, 1) == in .and. statuses(MPI_TAG, 1) == tag, 'MPI_Waitall')
    requests(1) = MPI_REQUEST_NULL
    call MPI_Irecv(in, 1, MPI_INTEGER, MPI_PROC_NULL, tag, MPI_COMM_WORLD, requests(2), error)
    call MPI_Waitany(2, requests, place, status, error)
    call check(place == 2 .and. status(MPI_SOURCE) == MPI_PROC_NULL, 'MPI_Waitany')
    call MPI_Irecv(in, 1, MPI_INTEGER, MPI_PROC_NULL, tag, MPI_COMM_WORLD, requests(2), error)
    call MPI_Waitsome(2, requests, got, places, MPI_STATUSES_IGNORE, error)
    call check(got == 1 .and. places(1) == 2, 'MPI_Waitsome')
    call MPI_Recv(in, 1, MPI_INTEGER, MPI_PROC_NULL, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)

    call MPI_Comm_dup(MPI_COMM_WORLD, comm, error)
    call MPI_Comm_set_name(comm, 'a name  ', error)
    name = 'x'
    call MPI_Comm_get_name(comm, name, length, error)
    call check(length == 6 .and. name == 'a name', 'MPI_Comm_get_name')
    call MPI_Comm_free(comm, error)
    call check(comm == MPI_COMM_NULL, 'MPI_Comm_free')

#ifdef MODULE
    call MPI_Sizeof(rank, length, error)
    call check(length == 4, 'MPI_Sizeof of a number')
    call MPI_Sizeof(numbers, length, error)
    call check(length == 4, 'MPI_Sizeof of an array')
    call MPI_Sizeof(start, length, error)
    call check(length == 8, 'MPI_Sizeof of double precision')
#endif

    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, number, flag, error)
    call check(flag .and. number >= 32767, 'MPI_TAG_UB')
    extra = 5
    call MPI_Comm_create_keyval(one_more, MPI_COMM_NULL_DELETE_FN, key, extra, error)
    number = 41
    call MPI_Comm_set_attr(MPI_COMM_SELF, key, number, error)
    call MPI_Comm_dup(MPI_COMM_SELF, comm, error)
    call MPI_Comm_get_attr(comm, key, number, flag, error)
    call check(flag .and. number == 46, 'attributes')
#ifdef MPICH
    call check(c_sees(comm, key, number), 'an attribute as C sees it')
#endif
    call MPI_Comm_free(comm, error)

    ! groups, errors, types of several
    call MPI_Comm_group(MPI_COMM_WORLD, world, error)
    call MPI_Group_incl(world, 1, (/ rank /), group, error)
    call MPI_Comm_create(MPI_COMM_WORLD, group, comm, error)
    call MPI_Comm_compare(comm, MPI_COMM_SELF, got, error)
    call check(got == MPI_CONGRUENT, 'MPI_Comm_create')
    call MPI_Group_free(group, error)
    call MPI_Comm_create_errhandler(told, handler, error)
    call MPI_Comm_set_errhandler(comm, handler, error)
    call MPI_Send(numbers, 1, MPI_INTEGER, 77, tag, comm, error)
    call MPI_Error_class(error, class, error)
    call check(class == MPI_ERR_RANK, 'MPI_Comm_create_errhandler')
    call MPI_Comm_get_name(comm, name, length, error)
    call check(name == 'told', 'the communicator of an error')
    call MPI_Comm_free(comm, error)
    lengths = 1
    types = (/ MPI_INTEGER, MPI_DOUBLE_PRECISION /)
    places_of = (/ 0, 8 /)
    call MPI_Type_create_struct(2, lengths, places_of, types, pair, error)
    call MPI_Type_commit(pair, error)
    call MPI_Type_size(pair, got, error)
    call check(got == 12, 'MPI_Type_create_struct')
    types = MPI_DATATYPE_NULL
    call MPI_Type_get_contents(pair, 3, 2, 2, numbers, places_of, types, error)
    call check(types(1) == MPI_INTEGER .and. types(2) == MPI_DOUBLE_PRECISION .and. places_of(2) == 8, 'MPI_Type_get_contents')
    call MPI_Type_free(pair, error)
    call check(pair == MPI_DATATYPE_NULL, 'MPI_Type_free')
    call MPI_Type_hvector(2, 1, 12, MPI_INTEGER, pair, error) ! which MPI has removed
    call MPI_Type_extent(pair, got, error)
    call check(got == 16, 'MPI_Type_hvector')
    call MPI_Type_free(pair, error)
    extra = 9
    call MPI_Grequest_start(query, free, cancel, extra, requests(1), error)
    call MPI_Grequest_complete(requests(1), error)
    call MPI_Wait(requests(1), status, error)
    call MPI_Get_count(status, MPI_INTEGER, got, error)
    call check(status(MPI_TAG) == 9 .and. got == 9 .and. requests(1) == MPI_REQUEST_NULL, 'MPI_Grequest_start')

    call MPI_Info_create(info, error)
    call MPI_Info_set(info, 'key', 'a value', error)
    call MPI_Info_get_nthkey(info, 0, name, error)
    call check(name == 'key', 'MPI_Info_get_nthkey')
#ifdef MPICH
    name = 'x'
    length = 0
    call MPI_Info_get_string(info, 'key', length, name, flag, error)
    call check(flag .and. length == 7 .and. name == 'x', 'MPI_Info_get_string without room')
    length = 3
    call MPI_Info_get_string(info, 'key', length, name, flag, error)
    call check(flag .and. length == 7 .and. name == 'a v', 'MPI_Info_get_string')
    call MPI_Info_free(info, error)
    call MPI_Info_create_env(info, error)
    call check(error == MPI_SUCCESS .and. info /= MPI_INFO_NULL, 'MPI_Info_create_env')
#endif
    call MPI_Info_free(info, error)

    numbers = (/ 1, -2, 3 /)
    room = 12
    at = 0
    call MPI_Pack_external('external32', numbers, 3, MPI_INTEGER, packed, room, at, error)
    numbers = 0
    at = 0
    call MPI_Unpack_external('external32', packed, room, at, numbers, 3, MPI_INTEGER, error)
    call check(numbers(1) == 1 .and. numbers(2) == -2 .and. at == 12, 'MPI_Unpack_external')

    numbers = 0
    call MPI_Dims_create(6, 2, numbers, error)
    call check(numbers(1) == 3 .and. numbers(2) == 2 .and. numbers(3) == 0, 'MPI_Dims_create')
    call check(MPI_Wtime() >= start, 'MPI_Wtime')
    call MPI_Finalize(error)
contains
    subroutine check(holds, what)
        logical, intent(in) :: holds
        character(len=*), intent(in) :: what
        if (.not. holds) then
            print *, what, ' is wrong at rank ', rank
            call MPI_Abort(MPI_COMM_WORLD, 1, error)
        end if
    end subroutine
end program

subroutine add(in, inout, length, datatype)
    include 'mpif.h'
    integer :: length, datatype, in(length), inout(length)
    if (datatype == MPI_INTEGER) inout = inout + in
end subroutine

! Of a communicator that it gives a name.
subroutine told(comm, code)
    include 'mpif.h'
    integer :: comm, code, error
    call MPI_Comm_set_name(comm, 'told', error)
end subroutine

subroutine query(extra, status, error)
    include 'mpif.h'
    integer(kind=MPI_ADDRESS_KIND) :: extra
    integer :: status(MPI_STATUS_SIZE), error
    status(MPI_TAG) = int(extra)
    status(MPI_SOURCE) = MPI_ANY_SOURCE
    call MPI_Status_set_elements(status, MPI_INTEGER, int(extra), error)
    call MPI_Status_set_cancelled(status, .false., error)
end subroutine

subroutine free(extra, error)
    include 'mpif.h'
    integer(kind=MPI_ADDRESS_KIND) :: extra
    integer :: error
    error = MPI_SUCCESS
end subroutine

subroutine cancel(extra, complete, error)
    include 'mpif.h'
    integer(kind=MPI_ADDRESS_KIND) :: extra
    logical :: complete
    integer :: error
    error = MPI_SUCCESS
end subroutine

subroutine one_more(comm, key, extra, in, out, flag, error)
    include 'mpif.h'
    integer :: comm, key, error, got
    integer(kind=MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag
    call MPI_Comm_compare(comm, MPI_COMM_SELF, got, error)
    out = in + extra
    if (got /= MPI_IDENT) out = 0
    flag = .true.
    error = MPI_SUCCESS
end subroutine

#ifdef MPICH
! Attributes are numbers here, and C gets their addresses.
logical function c_sees(comm, key, number)
    use, intrinsic :: iso_c_binding
    implicit none
    integer :: comm, key, flag, error
    integer(c_intptr_t) :: number
    integer(c_intptr_t), pointer :: seen
    type(c_ptr) :: at
    interface
        integer(c_int) function get_attr(comm, key, at, flag) bind(c, name='MPI_Comm_get_attr')
            import
            integer(c_int), value :: comm, key
            type(c_ptr) :: at
            integer(c_int) :: flag
        end function
    end interface
    error = get_attr(comm, key, at, flag)
    call c_f_pointer(at, seen)
    c_sees = flag /= 0 .and. seen == number
end function
#endif
