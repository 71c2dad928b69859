// Rate limits of constant size: one bucket, and one bucket per group of addresses.
#ifndef RATE_LIMIT_H
#define RATE_LIMIT_H
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

struct rate {
  // Interval at the full rate, ms.
  uint64_t interval_ms;
  // Burst size.
  uint64_t burst;
};

// Zeroed means full.
struct bucket {
  // Time at which the bucket is full again.
  uint64_t free_at_ms;
};

bool bucket_take(struct bucket *bucket, const struct rate *rate, uint64_t now_ms);

enum { SOURCE_BUCKETS = 1024 };

// Address groups that map to the same bucket share it. The mapping is random, so that nobody can choose a collision.
struct source_limit {
  uint64_t seed;
  struct bucket buckets[SOURCE_BUCKETS];
};

// False when no random numbers are available.
bool source_limit_open(struct source_limit *limit);
// The bucket of an IPv4 address, or of all IPv6 addresses with the same first 64 bits, which belong to one subscriber.
struct bucket *source_bucket(struct source_limit *limit, const struct in6_addr *ip);

#endif
