// Addresses from which a handshake started before any connectivity check. No real peer does that, so the address is forged:
// the peer that owns it must prove it with a cookie, which costs one round trip.
#ifndef EARLY_HELLOS_H
#define EARLY_HELLOS_H
#include "endpoint.h"
#include <stdbool.h>
#include <stdint.h>

// Number of addresses. To evict an address that is used 30 times per second, an attacker needs 100,000 forged datagrams per second.
enum { EARLY_HELLO_PLACES = 4096 };

// A newer address replaces an older one in the same place. The mapping is random, so that nobody can choose a collision.
struct early_hellos {
  uint64_t seed;
  struct {
    uint64_t address;
    uint64_t until_ms;
  } places[EARLY_HELLO_PLACES];
};

// False when no random numbers are available.
bool early_hellos_open(struct early_hellos *hellos);
void early_hellos_note(struct early_hellos *hellos, const struct endpoint *at, uint64_t now_ms);
bool early_hellos_has(const struct early_hellos *hellos, const struct endpoint *at, uint64_t now_ms);

#endif
