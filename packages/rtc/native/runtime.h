// Whether the process has the libraries that the addon was compiled for. Their structures are part of ours, so others would be written over.
#ifndef RUNTIME_H
#define RUNTIME_H

// NULL when all fits; otherwise what does not, for the log.
const char *runtime_problem(void);

#endif
