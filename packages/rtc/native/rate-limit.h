// Rate limits of constant size: one bucket, and one bucket per group of addresses.
#ifndef RATE_LIMIT_H
#define RATE_LIMIT_H
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

struct rate {
  // Pause between two at the full rate, ms.
  uint64_t interval_ms;
  // How many may come at once.
  uint64_t burst;
};

// Zeroed: full.
struct bucket {
  // When all that was taken is paid back.
  uint64_t free_at_ms;
};

bool bucket_take(struct bucket *bucket, const struct rate *rate, uint64_t now_ms);

enum { SOURCE_BUCKETS = 1024 };

// Address groups that fall into one bucket share it. Which ones do is random, so that nobody can choose a neighbour.
struct source_limit {
  uint64_t seed;
  struct bucket buckets[SOURCE_BUCKETS];
};

// False when there is no randomness.
bool source_limit_open(struct source_limit *limit);
// The bucket of the address: of an IPv4 address, or of all IPv6 addresses with the same first 64 bits, which one subscriber has.
struct bucket *source_bucket(struct source_limit *limit, const struct in6_addr *ip);

#endif
