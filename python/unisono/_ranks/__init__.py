"""The plugin of pytest, which runs a test on several ranks. pytest loads plugin.py, marks.py reads which numbers of
ranks a test asks for, job.py runs one test in a job, rank.py runs in each rank of that job, told.py puts together the
report of a failure, and github.py annotates it."""
