! A program in Fortran that writes what it has called, as counts.py does.
program counts
    implicit none
    include 'mpif.h'
    integer :: me, n, i, to, from, ierror, request, status(MPI_STATUS_SIZE), file
    integer :: numbers(64), room(64)
    character(len=1000) :: folder, path
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, n, ierror)
    to = mod(me + 1, n)
    from = mod(me + n - 1, n)
    numbers = me
    do i = 1, 10
        call MPI_Irecv(room, 64, MPI_INTEGER, from, i, MPI_COMM_WORLD, request, ierror)
        call MPI_Send(numbers, me + 1, MPI_INTEGER, to, i, MPI_COMM_WORLD, ierror)
        call MPI_Wait(request, status, ierror)
        call MPI_Sendrecv(numbers, 3, MPI_DOUBLE_PRECISION, to, 0, room, 64, MPI_BYTE, from, 0, MPI_COMM_WORLD, &
            MPI_STATUS_IGNORE, ierror)
        call MPI_Allreduce(MPI_IN_PLACE, numbers, 5, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierror)
        call MPI_Gather(numbers, 2, MPI_INTEGER, room, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
    end do
    call get_environment_variable('COUNTS', folder)
    write (path, '(A, ".", I0)') trim(folder), me
    open (newunit=file, file=path)
    write (file, '(A)') 'call MPI_Comm_rank 1 0', 'call MPI_Comm_size 1 0', 'call MPI_Finalize 1 0', &
        'call MPI_Irecv 10 0', 'call MPI_Wait 10 0', 'call MPI_Sendrecv 10 240', 'call MPI_Allreduce 10 200', &
        'call MPI_Gather 10 80'
    write (file, '(A, I0)') 'call MPI_Send 10 ', 40 * (me + 1)
    write (file, '(A, I0, A, I0)') 'to ', to, ' 20 ', 240 + 40 * (me + 1)
    close (file)
    call MPI_Finalize(ierror)
end program
