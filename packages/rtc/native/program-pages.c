#include "program-pages.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { max_path_bytes = 4096 };

struct mapping {
  uintptr_t start, end;
  // Whether it is a mapping of the program file without write permission.
  bool is_program;
  // Pages that are no longer those of the file: relocations of the loader, breakpoints, code that tools have changed, and all code with
  // `--use-largepages`. Their contents would be lost.
  size_t changed_kb;
};

// Parses the first line of a mapping: range, permissions, offset, device, inode, path. Returns false for the lines after it.
static bool parse_mapping(const char *line, const char *program, struct mapping *mapping) {
  uintptr_t start, end;
  char permissions[5];
  int path = 0;
  if (sscanf(line, "%lx-%lx %4s %*s %*s %*s %n", &start, &end, permissions, &path) != 3) return false;
  bool is_program = path > 0 && permissions[1] == '-' && strcmp(line + path, program) == 0;
  *mapping = (struct mapping){.start = start, .end = end, .is_program = is_program};
  return true;
}

void unmap_program_pages(void) {
  char program[max_path_bytes];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length < 0) return;
  program[length] = '\0';
  // proc_pid_smaps(5)
  FILE *smaps = fopen("/proc/self/smaps", "re");
  if (!smaps) return;
  struct mapping mapping = {0};
  char *line = NULL;
  size_t capacity = 0, kb;
  while (getline(&line, &capacity, smaps) > 0) {
    line[strcspn(line, "\n")] = '\0';
    if (parse_mapping(line, program, &mapping)) continue;
    if (sscanf(line, "Anonymous: %zu kB", &kb) == 1) mapping.changed_kb += kb;
    // This line follows that of anonymous pages. It counts those that are swapped out.
    if (sscanf(line, "Swap: %zu kB", &kb) != 1) continue;
    if (mapping.is_program && mapping.changed_kb + kb == 0) madvise((void *)mapping.start, mapping.end - mapping.start, MADV_DONTNEED);
  }
  free(line);
  fclose(smaps);
}
