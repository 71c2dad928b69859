/* Functions of the C load tools: clock, quantiles, CPU time, and the refusal of addresses on other machines. */
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* Growing list of microseconds. */
struct vec {
  uint32_t* v;
  size_t n, cap;
};

static uint64_t now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000ull + t.tv_nsec / 1000;
}

static void die(const char* fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vfprintf(stderr, fmt, ap);
  va_end(ap);
  fputc('\n', stderr);
  exit(2);
}

static void push(struct vec* a, uint64_t x) {
  if (a->n == a->cap) {
    a->cap = a->cap ? a->cap * 2 : 1024;
    a->v = realloc(a->v, a->cap * sizeof *a->v);
    if (!a->v) die("out of memory");
  }
  a->v[a->n++] = x > UINT32_MAX ? UINT32_MAX : (uint32_t)x;
}

static int cmp32(const void* a, const void* b) {
  uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
  return x < y ? -1 : x > y;
}

/* Quantile of a sorted list, milliseconds; -1 when the list is empty. */
static double quantile(const struct vec* a, double p) {
  return a->n ? a->v[(size_t)(p * (a->n - 1) + 0.5)] / 1000.0 : -1;
}

/* Prints `,"name":{…}` for the RESULT line. */
static void put_vec(const char* name, struct vec* a) {
  if (a->n) qsort(a->v, a->n, sizeof *a->v, cmp32);
  printf(",\"%s\":{\"n\":%zu,\"min\":%.3f,\"p50\":%.3f,\"p95\":%.3f,\"p99\":%.3f,\"max\":%.3f}", name, a->n,
         quantile(a, 0), quantile(a, .5), quantile(a, .95), quantile(a, .99), quantile(a, 1));
}

static double cpu_self(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* Reads `n` lower-case hexadecimal digits; returns 0 at any other character. */
static inline int hexval(const uint8_t* p, int n, uint64_t* out) {
  uint64_t x = 0;
  for (int i = 0; i < n; i++) {
    int ch = p[i], d;
    if (ch >= '0' && ch <= '9')
      d = ch - '0';
    else if (ch >= 'a' && ch <= 'f')
      d = ch - 'a' + 10;
    else
      return 0;
    x = x << 4 | (uint64_t)d;
  }
  *out = x;
  return 1;
}

static inline struct sockaddr_in loopback_address(const char* name, const char* port) {
  struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *ai;
  struct sockaddr_in address;
  if (getaddrinfo(name, port, &hints, &ai)) die("cannot resolve %s", name);
  memcpy(&address, ai->ai_addr, sizeof address);
  freeaddrinfo(ai);
  if ((ntohl(address.sin_addr.s_addr) >> 24) != 127) die("loopback only: %s is not 127.0.0.0/8", name);
  return address;
}
#endif
