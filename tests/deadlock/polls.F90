! Two ranks that poll, with the module mpi or, as MODULE says, mpi_f08. Rank 0 tests a receive for ever, and rank 1 looks for a message.
program polls
    use MODULE
    implicit none
#ifdef TYPES
    type(MPI_Request) :: request
    type(MPI_Comm) :: row
#else
    integer :: request, row
#endif
    integer :: ierror, rank, in(4), out(4)
    logical :: done
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, row, ierror)
    call MPI_Comm_set_name(row, "row", ierror)
    done = .false.
    out = rank
    if (rank == 0) then
        call MPI_Irecv(in, 4, MPI_INTEGER, 1, 7, row, request, ierror)
        do while (.not. done)
            call MPI_Test(request, done, MPI_STATUS_IGNORE, ierror)
        end do
    else
        call MPI_Issend(out, 4, MPI_INTEGER, 0, 8, row, request, ierror)
        do while (.not. done)
            call MPI_Iprobe(0, 3, MPI_COMM_WORLD, done, MPI_STATUS_IGNORE, ierror)
        end do
    end if
end program polls
