// Checks a STUN message before other code reads it (RFC 8489 §5, §14). The owner of the port interprets the message. Pure.
#ifndef STUN_H
#define STUN_H
#include "hmac-sha1.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STUN_TRANSACTION_BYTES = 12 };

enum stun_kind {
  // Not a Binding request or success response, or malformed. The port ignores such messages.
  STUN_OTHER,
  STUN_REQUEST,
  STUN_SUCCESS,
};

struct stun_message {
  enum stun_kind kind;
  const uint8_t *transaction;
  // The part of USERNAME before the colon, which names the receiver (RFC 8445 §7.2.2). Empty without USERNAME.
  struct slice receiver;
  // Offset of MESSAGE-INTEGRITY; 0 without this attribute.
  size_t integrity_at;
};

// The result points into the datagram.
struct stun_message stun_read(const uint8_t *datagram, size_t length);
// Whether the sender knew the password (RFC 8489 §14.5).
bool stun_has_integrity(const struct stun_message *message, const uint8_t *datagram, const struct hmac_sha1 *key);

#endif
