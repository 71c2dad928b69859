// DTLS 1.2 of one session (RFC 6347) with OpenSSL, until both sides have the SRTP keys (RFC 5764). This module has no sockets:
// `dtls_receive` takes datagrams, and the function `send` sends them.
#ifndef DTLS_H
#define DTLS_H
#include "handshake-gate.h"
#include "srtp.h"
#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DTLS_FINGERPRINT_BYTES = 32, DTLS_COOKIE_KEY_BYTES = 32 };

// The self-signed certificate of this server, ECDSA on P-256. Generated at start and used for all peers.
struct dtls_identity {
  SSL_CTX *context;
  // SHA-256 of the certificate, for the SDP answer (RFC 8122).
  uint8_t fingerprint[DTLS_FINGERPRINT_BYTES];
};

bool dtls_identity_open(struct dtls_identity *identity);
void dtls_identity_close(struct dtls_identity *identity);

typedef void (*dtls_send_function)(void *owner, const uint8_t *datagram, size_t length);

enum dtls_state { DTLS_HANDSHAKING, DTLS_CONNECTED, DTLS_CLOSED };

struct dtls {
  SSL *ssl;
  enum dtls_state state;
  struct dtls_peer_certificate peer;
  struct handshake_gate gate;
  // Number of restarted handshakes since the last tick. A handshake restarts if it fails before the server's first response.
  unsigned renewals;
  // OpenSSL has received at least one message of this handshake.
  bool is_fed;
  dtls_send_function send;
  void *owner;
  // The datagram that OpenSSL may read.
  const uint8_t *received;
  size_t received_bytes;
  // Key of this session's cookies, and the address for the next cookie.
  uint8_t cookie_key[DTLS_COOKIE_KEY_BYTES];
  bool has_cookie_key;
  const uint8_t *address;
  size_t address_bytes;
};

// Exported keys of one direction (RFC 5764 §4.2).
struct dtls_srtp_keys {
  uint8_t key[SRTP_MASTER_KEY_BYTES];
  uint8_t salt[SRTP_MAX_SALT_BYTES];
};

// Returns false when memory is exhausted. The struct can then still be closed.
bool dtls_open(struct dtls *dtls, const struct dtls_identity *identity, bool is_server, const struct dtls_peer_certificate *peer,
               dtls_send_function send, void *owner);
// Sends the client's first message.
enum dtls_state dtls_start(struct dtls *dtls);
// The server's first step with an unproven peer: sends a cookie to the address of a ClientHello, without keeping state (RFC 6347 §4.2.1).
// Returns true and continues the handshake when the peer has returned the cookie.
bool dtls_listen(struct dtls *dtls, const uint8_t *datagram, size_t length, const uint8_t *address, size_t address_bytes);
// `*is_plausible`: some records of the datagram passed the filter to OpenSSL, so the datagram may come from the peer.
enum dtls_state dtls_receive(struct dtls *dtls, const uint8_t *datagram, size_t length, bool *is_plausible);
// Retransmits flights that are due.
enum dtls_state dtls_tick(struct dtls *dtls);
// Writes the SRTP keys of a connected session; false when no profile was negotiated.
bool dtls_export(struct dtls *dtls, bool is_server, enum srtp_profile *profile, struct dtls_srtp_keys *own, struct dtls_srtp_keys *others);
// Ends the session. With `says_goodbye`, sends a close_notify first.
void dtls_close(struct dtls *dtls, bool says_goodbye);

#endif
