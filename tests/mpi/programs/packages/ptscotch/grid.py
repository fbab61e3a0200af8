"""A graph for Scotch: a grid of points in two dimensions, each with its neighbours."""
side = 60
points = [(x, y) for y in range(side) for x in range(side)]
near = [[(x + a, y + b) for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)) if 0 <= x + a < side and 0 <= y + b < side] for x, y in points]
print(f"0\n{side * side} {sum(map(len, near))}\n0 000")
for some in near:
    print(len(some), *(x + side * y for x, y in some))
