#define _GNU_SOURCE // in6_pktinfo
#include "early-hellos.h"
#include <openssl/rand.h>
#include <string.h>

// Time for which an address is remembered. A forged ClientHello works only between a peer's check and the peer's handshake. An attacker
// must repeat the ClientHello to hit this interval. One repetition thus arrives within this time before the check.
enum { remembered_ms = 10000 };

static uint64_t mix(uint64_t hash) {
  hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
  return hash ^ hash >> 31;
}

static uint64_t hash_of(const struct early_hellos *hellos, const struct endpoint *at) {
  uint64_t halves[2];
  memcpy(halves, &at->ip, sizeof halves);
  return mix(mix(mix(halves[0] ^ hellos->seed) ^ halves[1]) ^ at->port);
}

bool early_hellos_open(struct early_hellos *hellos) {
  memset(hellos, 0, sizeof *hellos);
  return RAND_bytes((unsigned char *)&hellos->seed, sizeof hellos->seed) == 1;
}

void early_hellos_note(struct early_hellos *hellos, const struct endpoint *at, uint64_t now_ms) {
  uint64_t address = hash_of(hellos, at);
  hellos->places[address % EARLY_HELLO_PLACES].address = address;
  hellos->places[address % EARLY_HELLO_PLACES].until_ms = now_ms + remembered_ms;
}

bool early_hellos_has(const struct early_hellos *hellos, const struct endpoint *at, uint64_t now_ms) {
  uint64_t address = hash_of(hellos, at);
  return hellos->places[address % EARLY_HELLO_PLACES].address == address && hellos->places[address % EARLY_HELLO_PLACES].until_ms > now_ms;
}
