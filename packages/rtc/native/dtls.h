// DTLS 1.2 of one session (RFC 6347) by OpenSSL, until both sides have the keys of SRTP (RFC 5764). No sockets: datagrams in by
// `dtls_receive`, out by the function that was given.
#ifndef DTLS_H
#define DTLS_H
#include "handshake-gate.h"
#include "srtp.h"
#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DTLS_FINGERPRINT_BYTES = 32, DTLS_COOKIE_KEY_BYTES = 32 };

// The certificate that this server shows to all peers: ECDSA on P-256, made at start, signed by itself.
struct dtls_identity {
  SSL_CTX *context;
  // SHA-256 of the certificate, for the answer (RFC 8122).
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
  // Handshakes that failed at the peer's first message and began anew, since the last tick.
  unsigned renewals;
  // OpenSSL has seen something of this handshake.
  bool is_fed;
  dtls_send_function send;
  void *owner;
  // The datagram that OpenSSL may read.
  const uint8_t *received;
  size_t received_bytes;
  // Cookies of this session, and the address that the next one is for.
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

// False when memory fails; the struct can be closed all the same.
bool dtls_open(struct dtls *dtls, const struct dtls_identity *identity, bool is_server, const struct dtls_peer_certificate *peer,
               dtls_send_function send, void *owner);
// The client's first message.
enum dtls_state dtls_start(struct dtls *dtls);
// The server's first step with a peer that has proven nothing: sends a cookie to the address of a ClientHello, statelessly (RFC 6347 §4.2.1).
// True once the peer has returned it: then the handshake has gone on.
bool dtls_listen(struct dtls *dtls, const uint8_t *datagram, size_t length, const uint8_t *address, size_t address_bytes);
// `*is_plausible`: some of it may be the peer's and was passed on.
enum dtls_state dtls_receive(struct dtls *dtls, const uint8_t *datagram, size_t length, bool *is_plausible);
// Sends again what is due.
enum dtls_state dtls_tick(struct dtls *dtls);
// Of a connected session; false when no profile was agreed.
bool dtls_export(struct dtls *dtls, bool is_server, enum srtp_profile *profile, struct dtls_srtp_keys *own, struct dtls_srtp_keys *others);
// Tells the peer when `says_goodbye`.
void dtls_close(struct dtls *dtls, bool says_goodbye);

#endif
