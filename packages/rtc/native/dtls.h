// DTLS 1.2 of one session (RFC 6347), based on OpenSSL, until both sides have the SRTP keys (RFC 5764). It uses no sockets:
// `dtls_receive` takes datagrams, and the given function sends them.
#ifndef DTLS_H
#define DTLS_H
#include "handshake-gate.h"
#include "srtp.h"
#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DTLS_FINGERPRINT_BYTES = 32, DTLS_COOKIE_KEY_BYTES = 32 };

// The certificate of this server, the same for all peers: ECDSA on P-256, generated at start, self-signed.
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
  // Handshakes that failed at the peer's first message and restarted, since the last tick.
  unsigned renewals;
  // OpenSSL has received at least one message of this handshake.
  bool is_fed;
  dtls_send_function send;
  void *owner;
  // The datagram that OpenSSL may read.
  const uint8_t *received;
  size_t received_bytes;
  // Key of this session's cookies, and the address that the next cookie is for.
  uint8_t cookie_key[DTLS_COOKIE_KEY_BYTES];
  bool has_cookie_key;
  const uint8_t *address;
  size_t address_bytes;
};

// Keys of one direction, as exported (RFC 5764 §4.2).
struct dtls_srtp_keys {
  uint8_t key[SRTP_MASTER_KEY_BYTES];
  uint8_t salt[SRTP_MAX_SALT_BYTES];
};

// False when memory allocation fails; the struct can still be closed.
bool dtls_open(struct dtls *dtls, const struct dtls_identity *identity, bool is_server, const struct dtls_peer_certificate *peer,
               dtls_send_function send, void *owner);
// Sends the client's first message.
enum dtls_state dtls_start(struct dtls *dtls);
// The server's first step with an unproven peer: sends a cookie to the address of a ClientHello, statelessly (RFC 6347 §4.2.1).
// True when the peer has returned the cookie; the handshake has then continued.
bool dtls_listen(struct dtls *dtls, const uint8_t *datagram, size_t length, const uint8_t *address, size_t address_bytes);
// `*is_plausible`: whether records of the datagram passed the filter to OpenSSL, so that the peer may have sent it.
enum dtls_state dtls_receive(struct dtls *dtls, const uint8_t *datagram, size_t length, bool *is_plausible);
// Retransmits flights that are due.
enum dtls_state dtls_tick(struct dtls *dtls);
// Writes the SRTP keys of a connected session; false when no profile was negotiated.
bool dtls_export(struct dtls *dtls, bool is_server, enum srtp_profile *profile, struct dtls_srtp_keys *own, struct dtls_srtp_keys *others);
// Sends a close_notify when `says_goodbye`.
void dtls_close(struct dtls *dtls, bool says_goodbye);

#endif
