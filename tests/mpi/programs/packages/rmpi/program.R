# Rmpi: R's objects, vectors and matrices to and from other ranks, by R's own names for the calls of MPI.
suppressMessages(library(Rmpi))
rank <- mpi.comm.rank(0)
size <- mpi.comm.size(0)
after <- (rank + 1) %% size
before <- (rank + size - 1) %% size
set.seed(rank + 1)
mine <- matrix(runif(10000), 100)
if (rank %% 2 == 0) {
    mpi.send.Robj(list(rank = rank, data = mine), after, 1, comm = 0)
    got <- mpi.recv.Robj(before, 1, comm = 0)
} else {
    got <- mpi.recv.Robj(before, 1, comm = 0)
    mpi.send.Robj(list(rank = rank, data = mine), after, 1, comm = 0)
}
product <- got$data %*% mine
sums <- mpi.allreduce(c(sum(product), rank), type = 2, op = "sum", comm = 0)
most <- mpi.allreduce(as.integer(7 * rank %% 5), type = 1, op = "max", comm = 0)
all <- mpi.allgather(as.double(got$rank), type = 2, rdata = double(size), comm = 0)
given <- list(name = "root", n = size)
if (rank == 0) {
    invisible(mpi.bcast.Robj(given, rank = 0, comm = 0))
} else {
    given <- mpi.bcast.Robj(rank = 0, comm = 0)
}
part <- mpi.scatter(if (rank == 0) as.double(1:(2 * size)) else double(0), type = 2, rdata = double(2), root = 0, comm = 0)
parts <- mpi.gather(sum(part), type = 2, rdata = double(size), root = 0, comm = 0)
gathered <- mpi.gather.Robj(c(as.vector(summary(as.vector(product))), given$n), root = 0, comm = 0)
if (rank == 0) {
    cat("sums", format(sums, digits = 10), "most", most, "from", all, "given", given$name, given$n, "parts", parts, "\n")
    for (one in seq_len(size)) {
        cat("rank", one - 1, format(gathered[, one], digits = 10), "\n")
    }
}
invisible(mpi.barrier(0))
invisible(mpi.finalize())
