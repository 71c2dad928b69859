// What is checked of a STUN message before anything else learns of it (RFC 8489 §5, §14): pure, no clock, no memory of its own. What the
// message asks for is read by the owner of the port.
#ifndef STUN_H
#define STUN_H
#include "hmac-sha1.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STUN_TRANSACTION_BYTES = 12 };

enum stun_kind {
  // Malformed, of another method than Binding, an indication or an error: nothing that is answered or awaited.
  STUN_OTHER,
  STUN_REQUEST,
  STUN_SUCCESS,
};

struct stun_message {
  enum stun_kind kind;
  const uint8_t *transaction;
  // The part of USERNAME before the colon, which names the receiver (RFC 8445 §7.2.2); empty without one.
  struct slice receiver;
  // Where MESSAGE-INTEGRITY begins; 0 without one.
  size_t integrity_at;
};

// Views into the datagram.
struct stun_message stun_read(const uint8_t *datagram, size_t length);
// Whether the sender knew the key (RFC 8489 §14.5).
bool stun_has_integrity(const struct stun_message *message, const uint8_t *datagram, const struct hmac_sha1 *key);

#endif
