// Checks that the process has the library versions that the addon was compiled for, because the addon embeds their structures.
#ifndef RUNTIME_H
#define RUNTIME_H

// NULL when all match; otherwise the mismatch, for the log.
const char *runtime_problem(void);

#endif
