# Numbers of a ring of ranks, by NArray.
require "mpi"
require "narray"
MPI.Init
world = MPI::Comm::WORLD
rank, size = world.rank, world.size
after, before = (rank + 1) % size, (rank - 1) % size
a = NArray.float(1000).indgen! + rank
b = NArray.float(1000)
if rank == 0
  world.Send(a, after, 1)
  world.Recv(b, before, 1)
else
  world.Recv(b, before, 1)
  world.Send(a + b, after, 1)
end
sum = NArray.float(1000)
world.Allreduce(b, sum, MPI::Op::SUM)
all = NArray.int(size)
world.Allgather(NArray.to_na([rank * rank]), all)
puts "sum #{sum.sum} all #{all.to_a.inspect}" if rank == 0
MPI.Finalize
