// Pages that a tool has changed stay: this program replaces a function, removes unchanged pages, and calls the function again.
#include "../program-pages.h"
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { original = 1, changed = 7 };

#ifdef __aarch64__
static const uint8_t returns_changed[] = {0xe0, 0x00, 0x80, 0x52, 0xc0, 0x03, 0x5f, 0xd6}; // mov w0, #7; ret
#else
static const uint8_t returns_changed[] = {0xb8, changed, 0, 0, 0, 0xc3}; // mov eax, 7; ret
#endif

__attribute__((noinline)) static int value(void) {
  volatile int result = original;
  return result;
}

int main(void) {
  int (*volatile call)(void) = value;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  void *start = (void *)((uintptr_t)value & ~(page - 1));
  unmap_program_pages();
  if (call() != original) return 1;
  if (mprotect(start, 2 * page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return 2;
  memcpy((void *)(uintptr_t)value, returns_changed, sizeof returns_changed);
  __builtin___clear_cache((char *)start, (char *)start + 2 * page);
  if (mprotect(start, 2 * page, PROT_READ | PROT_EXEC) != 0) return 3;
  unmap_program_pages();
  return call() == changed ? 0 : 4;
}
