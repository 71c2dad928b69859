// Checks that the process has the library versions for which the addon was compiled, because the addon contains their structures.
#ifndef RUNTIME_H
#define RUNTIME_H

// Returns the mismatch, for the log; NULL when all versions match.
const char *runtime_problem(void);

#endif
