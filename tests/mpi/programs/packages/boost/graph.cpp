// Boost.MPI: objects by serialization, collectives with functions of C++, and nonblocking messages.
#include <boost/mpi.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <iostream>

namespace mpi = boost::mpi;

int main(int argc, char **argv) {
    mpi::environment environment(argc, argv);
    mpi::communicator world;
    int rank = world.rank(), size = world.size();
    std::map<std::string, std::vector<double>> mine, theirs;
    for (int i = 0; i <= rank; i++)
        mine["part " + std::to_string(i)] = std::vector<double>(1000 * (i + 1), rank + 0.5 * i);
    mpi::request requests[2] = {world.isend((rank + 1) % size, 4, mine),
                                world.irecv((rank + size - 1) % size, 4, theirs)};
    mpi::wait_all(requests, requests + 2);
    double sum = 0;
    for (auto &[name, values] : theirs)
        for (double value : values)
            sum += value;
    std::vector<double> sums;
    mpi::gather(world, sum, sums, 0);
    std::string joined =
        mpi::all_reduce(world, std::string(1, static_cast<char>('a' + rank)), std::plus<std::string>());
    int most = mpi::all_reduce(world, rank * 7 % 5, mpi::maximum<int>());
    int before = mpi::scan(world, rank + 1, std::plus<int>());
    std::vector<std::string> words(size, "word " + std::to_string(rank)), got;
    mpi::all_to_all(world, words, got);
    mpi::communicator half = world.split(rank % 2);
    mpi::broadcast(half, mine, 0);
    int parts = mpi::all_reduce(world, static_cast<int>(mine.size()), std::plus<int>());
    if (rank == 0) {
        for (double one : sums)
            std::cout << "sum " << one << "\n";
        std::cout << joined << " " << most << " " << before << " " << got.back() << " " << parts << "\n";
    }
}
