// Which records of a handshake OpenSSL sees. None of them is authenticated, and OpenSSL ends the handshake at the first that does not fit: a
// stranger who writes the peer's address as the sender could end it. So only those pass that the peer can have sent in this state. Pure.
#ifndef HANDSHAKE_GATE_H
#define HANDSHAKE_GATE_H
#include <openssl/evp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  // Longest digest of a certificate that an offer may name: SHA-512.
  DTLS_MAX_DIGEST_BYTES = 64,
  // Certificates of which an offer may name digests; a browser has one.
  DTLS_MAX_DIGESTS = 4,
  // Longest datagram that is received: above every path's MTU.
  DTLS_MAX_DATAGRAM_BYTES = 2048,
  // Longest handshake message: a browser's certificate has 300 bytes, its first message with post-quantum keys 1,700.
  DTLS_MAX_MESSAGE_BYTES = 8 * 1024,
  // Room for what passes of one datagram: a certificate put together, and the rest with a record header for each message.
  GATE_OUTPUT_BYTES = 12 * 1024,
};

// What the peer must prove to have, from its offer: a certificate of one of these digests, which stand one after the other.
struct dtls_peer_certificate {
  const EVP_MD *hash;
  uint8_t digests[DTLS_MAX_DIGESTS * DTLS_MAX_DIGEST_BYTES];
  size_t digest_bytes;
};

bool is_expected_digest(const struct dtls_peer_certificate *peer, const uint8_t *digest, size_t length);

// A certificate message that came in fragments.
struct gate_fragments {
  // The message, and behind it a byte for each of its bytes: whether it has come.
  uint8_t *bytes;
  size_t length;
  size_t missing;
};

struct handshake_gate {
  bool is_server;
  // Our ServerHello has left, so that the peer's next flight may come.
  bool has_answered;
  // The peer's certificate has passed, which a stranger does not know.
  bool has_certificate;
  // Bytes that an encrypted record has at least.
  size_t shortest_encrypted;
  // Unencrypted records are numbered anew: a high number of a stranger's would make the peer's look repeated.
  uint64_t next_number;
  // Number of the client's first message that counts: 1 behind a cookie.
  uint16_t first_message;
  struct gate_fragments fragments;
};

void gate_open(struct handshake_gate *gate, bool is_server);
// For a new handshake of the same session.
void gate_restart(struct handshake_gate *gate);
// The datagram is a ClientHello with the cookie that was sent to it, which OpenSSL has taken as it is.
void gate_follow_cookie(struct handshake_gate *gate, const uint8_t *datagram);
void gate_close(struct handshake_gate *gate);
// Writes what may pass, at most GATE_OUTPUT_BYTES, and returns its length.
size_t gate_filter(struct handshake_gate *gate, const struct dtls_peer_certificate *peer, const uint8_t *datagram, size_t length, uint8_t *out);
// The same of a connected session: encrypted records of its epoch.
size_t gate_filter_connected(const struct handshake_gate *gate, const uint8_t *datagram, size_t length, uint8_t *out);

#endif
