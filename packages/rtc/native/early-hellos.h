// Addresses from which a handshake started before any connectivity check. Real peers check first, so the address is probably forged. A peer
// at this address must then return a cookie, which costs one round trip.
#ifndef EARLY_HELLOS_H
#define EARLY_HELLOS_H
#include "endpoint.h"
#include <stdbool.h>
#include <stdint.h>

// Number of stored addresses. To evict an address that is used 30 times per second, an attacker needs 100,000 forged datagrams per second.
enum { EARLY_HELLO_PLACES = 4096 };

// A new address replaces the old address in its place. Places are assigned randomly, so that attackers cannot choose collisions.
struct early_hellos {
  uint64_t seed;
  struct {
    uint64_t address;
    uint64_t until_ms;
  } places[EARLY_HELLO_PLACES];
};

// Returns false when the system has no random numbers.
bool early_hellos_open(struct early_hellos *hellos);
void early_hellos_note(struct early_hellos *hellos, const struct endpoint *at, uint64_t now_ms);
bool early_hellos_has(const struct early_hellos *hellos, const struct endpoint *at, uint64_t now_ms);

#endif
