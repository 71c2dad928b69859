// Pages of Node's program file in memory.
#ifndef PROGRAM_PAGES_H
#define PROGRAM_PAGES_H

// Removes pages of the program file from this process, except from mappings with changed pages. The kernel maps a page again when it is
// used, usually from its page cache.
void unmap_program_pages(void);

#endif
