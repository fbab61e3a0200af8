/* Of a library that is only another name: programs that ask for it get the one that it needs. */
typedef int uno_another_name;
