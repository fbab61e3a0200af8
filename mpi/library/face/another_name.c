/* The source of libraries that are only another name: programs that ask for one get the library that it
 * needs. */
typedef int uno_another_name;
