! A program in Fortran in which rank 2 is late; its lines are marked as those of late.c.
program late
    use, intrinsic :: iso_c_binding
    implicit none
    include 'mpif.h'
    interface
        integer(c_int) function usleep(time) bind(c)
            import
            integer(c_int), value :: time
        end function
    end interface
    integer :: me, i, ierror, slept, number, total
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    number = me
    do i = 1, 8
        if (me == 2) slept = usleep(20000)
        call MPI_Allreduce(number, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror) ! fortran
    end do
    call MPI_Finalize(ierror)
end program
