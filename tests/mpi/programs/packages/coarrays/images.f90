! Coarrays: puts and gets, synchronization of all images and of some, locks, atomic numbers, events, collectives.
program images
    use iso_fortran_env
    implicit none
    integer, parameter :: n = 1000
    integer :: me, all, right, left, i
    integer :: x(n)[*], counter[*], total
    integer(atomic_int_kind) :: ticket[*]
    integer(atomic_int_kind) :: old
    type(lock_type) :: lock[*]
    type(event_type) :: ready[*]
    real(8) :: s, a(3, 4)[*]
    real(8), allocatable :: b(:)[:]
    me = this_image(); all = num_images()
    right = merge(1, me + 1, me == all); left = merge(all, me - 1, me == 1)
    x = me; counter = 0; ticket = 0
    sync all
    x(1:n:2)[right] = -me
    sync all
    print *, 'image', me, 'strided', sum(x), x(1), x(2)
    a = 10 * me
    sync all
    a(:, 2)[right] = [1d0, 2d0, 3d0] * me
    sync all
    print *, 'image', me, 'column', sum(a), a(:, 2), a(1, 1)[left]
    do i = 1, 50
        lock(lock[1])
        counter[1] = counter[1] + me
        unlock(lock[1])
        call atomic_fetch_add(ticket[1], 1, old)
    end do
    sync all
    if (me == 1) print *, 'locked', counter, 'tickets', ticket
    allocate(b(me * 0 + 100)[*])
    b = [(i * me, i = 1, 100)]
    sync all
    s = 0
    do i = 1, all
        s = s + sum(b(1:100:3)[i])
    end do
    print *, 'image', me, 'allocated', s
    event post(ready[right])
    event wait(ready)
    if (me > 1) sync images(1)
    if (me == 1) sync images(*)
    total = me
    call co_sum(total)
    s = me
    call co_max(s)
    print *, 'image', me, 'sum', total, 'most', s
    i = me
    call co_broadcast(i, all)
    print *, 'image', me, 'from the last', i
    deallocate(b)
    sync all
end program
