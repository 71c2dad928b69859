// Addresses from which a handshake began before anybody there had made a check. No peer does that, so somebody forges its address: the peer
// proves its own by a cookie then, which costs it a round trip.
#ifndef EARLY_HELLOS_H
#define EARLY_HELLOS_H
#include "endpoint.h"
#include <stdbool.h>
#include <stdint.h>

// As many addresses: forged ones that drive the others out cost 100,000 datagrams a second to hide that one is used thirty times a second.
enum { EARLY_HELLO_PLACES = 4096 };

// Addresses of one place follow each other. Which ones share it is random, so that nobody can choose a neighbour.
struct early_hellos {
  uint64_t seed;
  struct {
    uint64_t address;
    uint64_t until_ms;
  } places[EARLY_HELLO_PLACES];
};

// False when there is no randomness.
bool early_hellos_open(struct early_hellos *hellos);
void early_hellos_note(struct early_hellos *hellos, const struct endpoint *at, uint64_t now_ms);
bool early_hellos_has(const struct early_hellos *hellos, const struct endpoint *at, uint64_t now_ms);

#endif
