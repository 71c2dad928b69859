// Filters the handshake records for OpenSSL. These records are not authenticated, and OpenSSL ends the handshake at the first invalid
// record. Without the filter, an attacker with a forged source address could end a handshake. Only records that are valid in the current
// state pass. Without input or output.
#ifndef HANDSHAKE_GATE_H
#define HANDSHAKE_GATE_H
#include <openssl/evp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  // Maximum length of a certificate digest in an offer: SHA-512.
  DTLS_MAX_DIGEST_BYTES = 64,
  // Maximum number of certificate digests in an offer. Browsers send one.
  DTLS_MAX_DIGESTS = 4,
  // Maximum length of a received datagram, above the MTU of every path.
  DTLS_MAX_DATAGRAM_BYTES = 2048,
  // Maximum length of a handshake message. A browser's certificate has 300 bytes, and a ClientHello with post-quantum keys has 1,700.
  DTLS_MAX_MESSAGE_BYTES = 8 * 1024,
  // Maximum output for one datagram: a reassembled certificate, and further messages with a record header each.
  GATE_OUTPUT_BYTES = 12 * 1024,
};

// The certificate that the offer requires of the peer: its digest is one of these concatenated digests.
struct dtls_peer_certificate {
  const EVP_MD *hash;
  uint8_t digests[DTLS_MAX_DIGESTS * DTLS_MAX_DIGEST_BYTES];
  size_t digest_bytes;
};

bool is_expected_digest(const struct dtls_peer_certificate *peer, const uint8_t *digest, size_t length);

// A certificate message that arrives in fragments.
struct gate_fragments {
  // The message, followed by one flag for each byte that has arrived.
  uint8_t *bytes;
  size_t length;
  size_t missing;
};

struct handshake_gate {
  bool is_server;
  // ServerHello has been sent, so the peer's next flight is allowed.
  bool has_answered;
  // The peer's certificate has passed the filter. An attacker cannot know this certificate.
  bool has_certificate;
  // Minimum size of an encrypted record, bytes.
  size_t shortest_encrypted;
  // Sequence number for the next unencrypted record. The filter renumbers these records, because a forged record with a high sequence
  // number would make OpenSSL discard the peer's records as replayed.
  uint64_t next_number;
  // Message number of the first message of the client's handshake: 0, or 1 after a cookie.
  uint16_t first_message;
  struct gate_fragments fragments;
};

void gate_open(struct handshake_gate *gate, bool is_server);
// Prepares the filter for a new handshake of a session.
void gate_restart(struct handshake_gate *gate);
// Continues after a ClientHello with a valid cookie. OpenSSL has read this ClientHello without the filter.
void gate_follow_cookie(struct handshake_gate *gate, const uint8_t *datagram);
void gate_close(struct handshake_gate *gate);
// Writes the records that pass and returns their length, at most GATE_OUTPUT_BYTES.
size_t gate_filter(struct handshake_gate *gate, const struct dtls_peer_certificate *peer, const uint8_t *datagram, size_t length, uint8_t *out);
// Filters records of a connected session: encrypted records of its epoch pass.
size_t gate_filter_connected(const struct handshake_gate *gate, const uint8_t *datagram, size_t length, uint8_t *out);

#endif
