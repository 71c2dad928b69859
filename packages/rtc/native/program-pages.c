#define _GNU_SOURCE // dl_iterate_phdr
#include "program-pages.h"
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { max_segments = 8, max_path_bytes = 4096 };

struct segments {
  size_t count;
  struct {
    uintptr_t start, end;
  } pages[max_segments];
};

// Adds the read-only segments of the program. The loader writes to the others, also to those that it protects afterwards.
static int add_segments(struct dl_phdr_info *program, size_t size, void *owner) {
  (void)size;
  struct segments *segments = owner;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < program->dlpi_phnum && segments->count < max_segments; i++) {
    const ElfW(Phdr) *header = &program->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || header->p_flags & PF_W) continue;
    uintptr_t start = program->dlpi_addr + header->p_vaddr;
    segments->pages[segments->count].start = start & ~(page - 1);
    segments->pages[segments->count++].end = (start + header->p_memsz + page - 1) & ~(page - 1);
  }
  // The program is the first object. The others are libraries.
  return 1;
}

static bool is_in_segment(const struct segments *segments, uintptr_t start, uintptr_t end) {
  for (size_t i = 0; i < segments->count; i++)
    if (start >= segments->pages[i].start && end <= segments->pages[i].end) return true;
  return false;
}

void unmap_program_pages(void) {
  char program[max_path_bytes];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length < 0) return;
  program[length] = '\0';
  struct segments segments = {0};
  dl_iterate_phdr(add_segments, &segments);
  FILE *maps = fopen("/proc/self/maps", "re");
  if (!maps) return;
  char *line = NULL;
  size_t capacity = 0;
  while (getline(&line, &capacity, maps) > 0) {
    uintptr_t start, end;
    char permissions[5];
    int path = 0;
    line[strcspn(line, "\n")] = '\0';
    // proc_pid_maps(5): range, permissions, offset, device, inode, path.
    if (sscanf(line, "%lx-%lx %4s %*s %*s %*s %n", &start, &end, permissions, &path) != 3 || path == 0) continue;
    // Other mappings have no file from which the kernel could read the pages again, e.g. with `--use-largepages`.
    bool is_unchanged_file = permissions[1] == '-' && strcmp(line + path, program) == 0;
    if (is_unchanged_file && is_in_segment(&segments, start, end)) madvise((void *)start, end - start, MADV_DONTNEED);
  }
  free(line);
  fclose(maps);
}
