"""The plugin of pytest, which runs a test on several ranks. plugin.py is what pytest loads, marks.py reads which numbers of ranks
a test asks for, job.py runs one test in a job, in whose ranks rank.py runs, told.py puts together what is printed of
a failure, and github.py annotates it."""
