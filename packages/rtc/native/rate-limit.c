#include "rate-limit.h"
#include <openssl/rand.h>
#include <string.h>

bool bucket_take(struct bucket *bucket, const struct rate *rate, uint64_t now_ms) {
  uint64_t free_at = bucket->free_at_ms > now_ms ? bucket->free_at_ms : now_ms;
  if (free_at - now_ms > rate->interval_ms * (rate->burst - 1)) return false;
  bucket->free_at_ms = free_at + rate->interval_ms;
  return true;
}

bool source_limit_open(struct source_limit *limit) {
  memset(limit, 0, sizeof *limit);
  return RAND_bytes((unsigned char *)&limit->seed, sizeof limit->seed) == 1;
}

struct bucket *source_bucket(struct source_limit *limit, const struct in6_addr *ip) {
  uint64_t group;
  memcpy(&group, ip->s6_addr + (IN6_IS_ADDR_V4MAPPED(ip) ? 8 : 0), sizeof group);
  uint64_t hash = group ^ limit->seed;
  hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
  return &limit->buckets[(hash ^ hash >> 31) % SOURCE_BUCKETS];
}
