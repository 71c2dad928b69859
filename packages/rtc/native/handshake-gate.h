// Filters the handshake records that OpenSSL reads. Records are not authenticated, and OpenSSL ends the handshake at the first
// invalid one, so an attacker could end it with a forged source address. Only records that are valid in this state pass. Pure.
#ifndef HANDSHAKE_GATE_H
#define HANDSHAKE_GATE_H
#include <openssl/evp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  // Longest certificate digest in an offer: SHA-512.
  DTLS_MAX_DIGEST_BYTES = 64,
  // Maximum number of certificate digests in an offer; browsers send one.
  DTLS_MAX_DIGESTS = 4,
  // Longest received datagram: above the MTU of every path.
  DTLS_MAX_DATAGRAM_BYTES = 2048,
  // Longest handshake message: a browser's certificate has 300 bytes, its first message with post-quantum keys 1,700.
  DTLS_MAX_MESSAGE_BYTES = 8 * 1024,
  // Output size for one datagram: a reassembled certificate, and the other messages with a record header each.
  GATE_OUTPUT_BYTES = 12 * 1024,
};

// What the offer requires of the peer: a certificate with one of these digests, which are stored one after the other.
struct dtls_peer_certificate {
  const EVP_MD *hash;
  uint8_t digests[DTLS_MAX_DIGESTS * DTLS_MAX_DIGEST_BYTES];
  size_t digest_bytes;
};

bool is_expected_digest(const struct dtls_peer_certificate *peer, const uint8_t *digest, size_t length);

// A certificate message that arrives in fragments.
struct gate_fragments {
  // The message, followed by one flag per byte: whether that byte has arrived.
  uint8_t *bytes;
  size_t length;
  size_t missing;
};

struct handshake_gate {
  bool is_server;
  // ServerHello has been sent, so the peer's next flight is allowed.
  bool has_answered;
  // The peer's certificate has passed; an attacker cannot know it.
  bool has_certificate;
  // Minimum size of an encrypted record, bytes.
  size_t shortest_encrypted;
  // Unencrypted records are renumbered: a high number from an attacker would make the peer's records look repeated.
  uint64_t next_number;
  // Message number of the first message of the client's handshake: 0, or 1 after a cookie.
  uint16_t first_message;
  struct gate_fragments fragments;
};

void gate_open(struct handshake_gate *gate, bool is_server);
// Restarts the filter for a new handshake of the same session.
void gate_restart(struct handshake_gate *gate);
// Continues after a ClientHello with a valid cookie, which OpenSSL has read without filtering.
void gate_follow_cookie(struct handshake_gate *gate, const uint8_t *datagram);
void gate_close(struct handshake_gate *gate);
// Writes the records that pass, at most GATE_OUTPUT_BYTES, and returns their length.
size_t gate_filter(struct handshake_gate *gate, const struct dtls_peer_certificate *peer, const uint8_t *datagram, size_t length, uint8_t *out);
// Like `gate_filter`, for a connected session: passes encrypted records of its epoch.
size_t gate_filter_connected(const struct handshake_gate *gate, const uint8_t *datagram, size_t length, uint8_t *out);

#endif
