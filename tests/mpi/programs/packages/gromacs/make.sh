#!/bin/sh
# 512 atoms of argon on a grid, and what mdrun needs.
set -eu
python3 - >argon.gro <<'END'
print("argon\n512")
for i in range(512):
    place = [0.15 + 0.37 * (i // n % 8) + 0.01 * (i * k % 7) for n, k in ((1, 3), (8, 5), (64, 2))]
    print("%5d%-5s%5s%5d%8.3f%8.3f%8.3f" % (i + 1, "AR", "AR", i + 1, *place))
print("   2.96000   2.96000   2.96000")
END
cat >argon.top <<'END'
[ defaults ]
1 2 no 1.0 1.0
[ atomtypes ]
AR 39.948 0.0 A 0.3405 0.996
[ moleculetype ]
AR 0
[ atoms ]
1 AR 1 AR AR 1 0.0 39.948
[ system ]
argon
[ molecules ]
AR 512
END
cat >argon.mdp <<'END'
integrator = md
nsteps = 100
dt = 0.002
nstenergy = 20
nstcalcenergy = 20
nstlog = 20
cutoff-scheme = Verlet
rlist = 1.0
rvdw = 1.0
gen-vel = yes
gen-temp = 120
gen-seed = 3
END
gmx_mpi -quiet grompp -f argon.mdp -c argon.gro -p argon.top -o argon.tpr -maxwarn 5
