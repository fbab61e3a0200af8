* Powers of sums, whose terms the ranks share.
Symbols a, b, c, d, e;
Local F = (a + 2*b - 3*c + d - e)^9 * (a - b)^2;
.sort
id a = b + c;
.sort
id d = e - 1;
bracket b;
.sort
id c = 1;
id e = 2;
print +s;
.end
