! Every accelerated operation from Fortran, through each of its interfaces: compiled with -DMPIF_H, -DUSE_MPI or
! -DUSE_MPI_F08. Each result is compared with what a rank computes for itself; a wrong one ends the job.

#if defined(USE_MPI_F08)
#define INTERFACE use mpi_f08
#define HEADER
#define COMM_TYPE type(MPI_Comm)
#define DATATYPE_TYPE type(MPI_Datatype)
#define OP_TYPE type(MPI_Op)
! ierror is optional, and left out
#define NO_MORE
#define NOTHING
#else
#define COMM_TYPE integer
#define DATATYPE_TYPE integer
#define OP_TYPE integer
#define NO_MORE ,error
#define NOTHING error
#endif
#if defined(USE_MPI)
#define INTERFACE use mpi
#define HEADER
#elif defined(MPIF_H)
#define INTERFACE
#define HEADER include 'mpif.h'
#endif

module operation
contains
    ! Of b then a, the last that is not 0: associative, and not commutative.
    subroutine latest(a, b, count, datatype)
#ifdef USE_MPI_F08
        use, intrinsic :: iso_c_binding
        use mpi_f08
        type(c_ptr), value :: a, b
        integer :: count
        type(MPI_Datatype) :: datatype
        integer, pointer :: left(:), right(:)
        call c_f_pointer(a, left, [count])
        call c_f_pointer(b, right, [count])
#else
        integer :: count, datatype
        integer, target :: a(count), b(count)
        integer, pointer :: left(:), right(:)
        left => a
        right => b
#endif
        where (right == 0) right = left
    end subroutine latest
end module operation

program collectives
    INTERFACE
    use operation
    implicit none
    HEADER
    integer, parameter :: rounds = 12, length = 5
    integer :: rank, ranks, round
#ifndef USE_MPI_F08
    integer :: error
#endif
    COMM_TYPE :: parts
    OP_TYPE :: op

    call MPI_Init(NOTHING)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank NO_MORE)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks NO_MORE)
    call MPI_Op_create(latest, .false., op NO_MORE)
    do round = 1, rounds
        call play(MPI_COMM_WORLD)
        call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, parts NO_MORE)
        call play(parts)
        call MPI_Comm_free(parts NO_MORE)
    end do
    call MPI_Op_free(op NO_MORE)
    call MPI_Finalize(NOTHING)

contains

    subroutine check(right, what)
        logical, intent(in) :: right
        character(*), intent(in) :: what
        if (right) return
        print *, 'collectives: rank ', rank, ' of ', ranks, ': ', what, ' is wrong in round ', round
        call MPI_Abort(MPI_COMM_WORLD, 1 NO_MORE)
    end subroutine check

    ! What rank r of the communicator puts, the same everywhere.
    elemental integer function value(r, i)
        integer, intent(in) :: r, i
        value = mod(round * 7919 + r * 104729 + i * 1299709, 1000) - 500
    end function value

    ! So many elements of rank r.
    pure function values(r, n) result(v)
        integer, intent(in) :: r, n
        integer :: v(n), i
        v = value(r, [(i, i = 1, n)])
    end function values

    subroutine play(comm)
        COMM_TYPE, intent(in) :: comm
        integer :: me, n, root
        call MPI_Comm_rank(comm, me NO_MORE)
        call MPI_Comm_size(comm, n NO_MORE)
        root = mod(round, n)
        call broadcasts(comm, me, root)
        call reductions(comm, me, n, root)
        call scans(comm, me, n)
        call gathers(comm, me, n, root)
        call scatters(comm, me, n, root)
        call exchanges(comm, me, n)
        call MPI_Barrier(comm NO_MORE)
    end subroutine play

    subroutine broadcasts(comm, me, root)
        COMM_TYPE, intent(in) :: comm
        integer, intent(in) :: me, root
        integer, asynchronous :: data(length)
        integer(MPI_ADDRESS_KIND) :: address(1)
        DATATYPE_TYPE :: there
        data = values(me, length)
        call MPI_Bcast(data, length, MPI_INTEGER, root, comm NO_MORE)
        call check(all(data == values(root, length)), 'MPI_Bcast')
        data = values(me, length) + 1
        call MPI_Get_address(data, address(1) NO_MORE)
        call MPI_Type_create_hindexed(1, [length], address, MPI_INTEGER, there NO_MORE)
        call MPI_Type_commit(there NO_MORE)
        call MPI_Bcast(MPI_BOTTOM, 1, there, root, comm NO_MORE)
        call MPI_Type_free(there NO_MORE)
        call check(all(data == values(root, length) + 1), 'MPI_Bcast from MPI_BOTTOM')
    end subroutine broadcasts

    ! The sum over the first n ranks.
    function total(n, elements)
        integer, intent(in) :: n, elements
        integer :: total(elements), r
        total = 0
        do r = 0, n - 1
            total = total + values(r, elements)
        end do
    end function total

    subroutine reductions(comm, me, n, root)
        COMM_TYPE, intent(in) :: comm
        integer, intent(in) :: me, n, root
        integer :: mine(length), out(length), long(length * n), counts(n), r, last(length)
        double precision :: real_mine, real_out
        mine = values(me, length)
        call MPI_Allreduce(mine, out, length, MPI_INTEGER, MPI_SUM, comm NO_MORE)
        call check(all(out == total(n, length)), 'MPI_Allreduce')
        out = mine
        call MPI_Allreduce(MPI_IN_PLACE, out, length, MPI_INTEGER, MPI_SUM, comm NO_MORE)
        call check(all(out == total(n, length)), 'MPI_Allreduce in place')
        real_mine = mine(1) / 4d0
        call MPI_Allreduce(real_mine, real_out, 1, MPI_DOUBLE_PRECISION, MPI_SUM, comm NO_MORE)
        call check(real_out == sum([(value(r, 1) / 4d0, r = 0, n - 1)]), 'MPI_Allreduce of double precision')
        mine = merge(mine, 0, mod(mine, 3) == 0)
        call MPI_Allreduce(mine, out, length, MPI_INTEGER, op, comm NO_MORE)
        last = 0
        do r = 0, n - 1
            where (mod(values(r, length), 3) == 0 .and. values(r, length) /= 0) last = values(r, length)
        end do
        call check(all(out == last), 'MPI_Allreduce by an operation of the program')
        out = values(me, length)
        if (me == root) then
            call MPI_Reduce(MPI_IN_PLACE, out, length, MPI_INTEGER, MPI_SUM, root, comm NO_MORE)
            call check(all(out == total(n, length)), 'MPI_Reduce in place')
        else
            call MPI_Reduce(out, last, length, MPI_INTEGER, MPI_SUM, root, comm NO_MORE)
        end if
        long = values(me, length * n)
        call MPI_Reduce_scatter_block(long, out, length, MPI_INTEGER, MPI_SUM, comm NO_MORE)
        long = total(n, length * n)
        call check(all(out == long(length * me + 1:length * (me + 1))), 'MPI_Reduce_scatter_block')
        counts = length
        long = values(me, length * n)
        call MPI_Reduce_scatter(long, out, counts, MPI_INTEGER, MPI_SUM, comm NO_MORE)
        long = total(n, length * n)
        call check(all(out == long(length * me + 1:length * (me + 1))), 'MPI_Reduce_scatter')
    end subroutine reductions

    subroutine scans(comm, me, n)
        COMM_TYPE, intent(in) :: comm
        integer, intent(in) :: me, n
        integer :: mine(length), out(length)
        mine = values(me, length)
        call MPI_Scan(mine, out, length, MPI_INTEGER, MPI_SUM, comm NO_MORE)
        call check(all(out == total(me + 1, length)), 'MPI_Scan')
        call MPI_Exscan(mine, out, length, MPI_INTEGER, MPI_SUM, comm NO_MORE)
        call check(me == 0 .or. all(out == total(me, length)), 'MPI_Exscan')
        call check(n > 0, 'MPI_Comm_size')
    end subroutine scans

    ! Everyone's elements, by rank.
    function everyone(n)
        integer, intent(in) :: n
        integer :: everyone(length * n), r
        do r = 0, n - 1
            everyone(length * r + 1:length * (r + 1)) = values(r, length)
        end do
    end function everyone

    subroutine gathers(comm, me, n, root)
        COMM_TYPE, intent(in) :: comm
        integer, intent(in) :: me, n, root
        integer :: mine(length), out(length * n), counts(n), places(n), r
        mine = values(me, length)
        counts = length
        places = [(length * (n - 1 - r), r = 0, n - 1)]
        out = 0
        call MPI_Gather(mine, length, MPI_INTEGER, out, length, MPI_INTEGER, root, comm NO_MORE)
        call check(me /= root .or. all(out == everyone(n)), 'MPI_Gather')
        out = 0
        call MPI_Gatherv(mine, length, MPI_INTEGER, out, counts, places, MPI_INTEGER, root, comm NO_MORE)
        call check(me /= root .or. all(out == turned(n)), 'MPI_Gatherv')
        call MPI_Allgather(mine, length, MPI_INTEGER, out, length, MPI_INTEGER, comm NO_MORE)
        call check(all(out == everyone(n)), 'MPI_Allgather')
        out = 0
        out(length * me + 1:length * (me + 1)) = mine
        call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, length, MPI_INTEGER, comm NO_MORE)
        call check(all(out == everyone(n)), 'MPI_Allgather in place')
        call MPI_Allgatherv(mine, length, MPI_INTEGER, out, counts, places, MPI_INTEGER, comm NO_MORE)
        call check(all(out == turned(n)), 'MPI_Allgatherv')
    end subroutine gathers

    ! Everyone's elements, the last rank's first.
    function turned(n)
        integer, intent(in) :: n
        integer :: turned(length * n), r
        do r = 0, n - 1
            turned(length * (n - 1 - r) + 1:length * (n - r)) = values(r, length)
        end do
    end function turned

    subroutine scatters(comm, me, n, root)
        COMM_TYPE, intent(in) :: comm
        integer, intent(in) :: me, n, root
        integer :: in(length * n), out(length), counts(n), places(n), r
        in = merge(everyone(n), 0, me == root)
        out = 0
        if (me == root) then
            call MPI_Scatter(in, length, MPI_INTEGER, MPI_IN_PLACE, length, MPI_INTEGER, root, comm NO_MORE)
            call check(all(in == everyone(n)), 'MPI_Scatter in place')
        else
            call MPI_Scatter(in, length, MPI_INTEGER, out, length, MPI_INTEGER, root, comm NO_MORE)
            call check(all(out == values(me, length)), 'MPI_Scatter')
        end if
        counts = length
        places = [(length * (n - 1 - r), r = 0, n - 1)]
        in = merge(turned(n), 0, me == root)
        call MPI_Scatterv(in, counts, places, MPI_INTEGER, out, length, MPI_INTEGER, root, comm NO_MORE)
        call check(all(out == values(me, length)), 'MPI_Scatterv')
    end subroutine scatters

    subroutine exchanges(comm, me, n)
        COMM_TYPE, intent(in) :: comm
        integer, intent(in) :: me, n
        integer :: in(n), out(n), counts(n), places(n), r
        ! to rank r: its element me of what this rank puts
        in = [(value(me, r), r = 0, n - 1)]
        call MPI_Alltoall(in, 1, MPI_INTEGER, out, 1, MPI_INTEGER, comm NO_MORE)
        call check(all(out == [(value(r, me), r = 0, n - 1)]), 'MPI_Alltoall')
        counts = 1
        places = [(n - 1 - r, r = 0, n - 1)]
        call MPI_Alltoallv(in, counts, places, MPI_INTEGER, out, counts, places, MPI_INTEGER, comm NO_MORE)
        call check(all(out == [(value(r, n - 1 - me), r = n - 1, 0, -1)]), 'MPI_Alltoallv')
    end subroutine exchanges

end program collectives
