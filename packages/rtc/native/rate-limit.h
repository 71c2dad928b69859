// Rate limits whose memory is constant: a single bucket, and a table of buckets for groups of addresses.
#ifndef RATE_LIMIT_H
#define RATE_LIMIT_H
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

struct rate {
  // Interval between two tokens, ms.
  uint64_t interval_ms;
  // Burst size.
  uint64_t burst;
};

// A zeroed bucket is full.
struct bucket {
  uint64_t free_at_ms;
};

bool bucket_take(struct bucket *bucket, const struct rate *rate, uint64_t now_ms);

enum { SOURCE_BUCKETS = 1024 };

// A hash maps address groups to buckets; groups with one hash share a bucket. The hash is seeded randomly, so that attackers cannot choose
// collisions.
struct source_limit {
  uint64_t seed;
  struct bucket buckets[SOURCE_BUCKETS];
};

// Returns false when the system has no random numbers.
bool source_limit_open(struct source_limit *limit);
// The bucket of an IPv4 address, or of the /64 network of an IPv6 address, which belongs to one subscriber.
struct bucket *source_bucket(struct source_limit *limit, const struct in6_addr *ip);

#endif
