"""Sequences that have come about along a tree, for MrBayes."""
import random

random.seed(5)
names, length = [f"species{i}" for i in range(8)], 300
sequences = ["".join(random.choice("ACGT") for _ in range(length))]
while len(sequences) < len(names):
    parent = random.choice(sequences)
    sequences.append("".join(random.choice("ACGT") if random.random() < 0.15 else base for base in parent))
print(f"#NEXUS\nbegin data;\ndimensions ntax={len(names)} nchar={length};\nformat datatype=dna;\nmatrix")
for name, sequence in zip(names, sequences):
    print(name, sequence)
print(""";
end;
begin mrbayes;
set autoclose=yes nowarn=yes seed=7 swapseed=11;
lset nst=2 rates=gamma;
mcmc ngen=2000 samplefreq=100 printfreq=200 nchains=4 nruns=2 diagnfreq=500;
end;""")
