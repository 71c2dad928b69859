#include "dtls.h"
#include <openssl/err.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <string.h>
#include <uv.h>

enum {
  // Maximum size of a DTLS datagram without UDP and IP headers, so that it fits the MTU of every path. RTP packets have the same limit
  // before encryption.
  link_mtu_bytes = 1200,
  // First and longest delay before a lost flight is repeated. Both are short, because the first frame of a viewer waits for the handshake.
  // RFC 6347 §4.2.4.1 recommends 1 s, but allows less for short round trips.
  first_repetition_us = 100 * 1000,
  longest_repetition_us = 1000 * 1000,
  certificate_seconds = 365 * 24 * 3600,
  // The certificate is backdated by this time, because clocks of peers may be slow.
  certificate_backdated_seconds = 24 * 3600,
  serial_bits = 63,
  max_plain_bytes = 2048,
  // Maximum number of handshakes that a session restarts within one tick. Each restart costs as much as a connection.
  max_renewals = 4,
  record_alert = 21,
  // Bytes that encryption adds to a record: nonce and tag. ChaCha20 records contain no explicit nonce.
  gcm_growth_bytes = 8 + 16,
  chacha_growth_bytes = 16,
  // A cookie is the first half of an HMAC-SHA-256 value.
  cookie_bytes = 16,
};

// AES-GCM is preferred. On CPUs with AES instructions, it takes a fifth of the CPU time of AES-CM with HMAC-SHA1.
static const char srtp_profiles[] = "SRTP_AEAD_AES_128_GCM:SRTP_AES128_CM_SHA1_80";
static const char ciphers[] = "ECDHE+AESGCM:ECDHE+CHACHA20";

// --- A BIO that reads and writes datagrams ----------------------------------------------------------------------------------

static int bio_write(BIO *bio, const char *bytes, int length) {
  struct dtls *dtls = BIO_get_data(bio);
  bool is_alert = length > 0 && (uint8_t)bytes[0] == record_alert;
  // The server sends no alert before its first response. An attacker may have caused the alert, but the peer would trust it.
  if (is_alert && dtls->gate.is_server && !dtls->gate.has_answered) return length;
  if (!is_alert) dtls->gate.has_answered = true;
  dtls->send(dtls->owner, (const uint8_t *)bytes, (size_t)length);
  return length;
}

static int bio_read(BIO *bio, char *out, int capacity) {
  struct dtls *dtls = BIO_get_data(bio);
  BIO_clear_retry_flags(bio);
  if (!dtls->received) {
    BIO_set_retry_read(bio);
    return -1;
  }
  size_t length = dtls->received_bytes < (size_t)capacity ? dtls->received_bytes : (size_t)capacity;
  memcpy(out, dtls->received, length);
  dtls->received = NULL;
  return (int)length;
}

static long bio_control(BIO *bio, int command, long number, void *pointer) {
  (void)bio, (void)number, (void)pointer;
  switch (command) {
    case BIO_CTRL_FLUSH:
      return 1;
    case BIO_CTRL_DGRAM_QUERY_MTU:
    case BIO_CTRL_DGRAM_GET_FALLBACK_MTU:
      return link_mtu_bytes;
    default:
      return 0;
  }
}

static BIO_METHOD *datagram_bio;

// Runs once per process, because OpenSSL assigns the type number globally.
static void make_datagram_bio(void) {
  BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "datagrams");
  if (!method) return;
  BIO_meth_set_write(method, bio_write);
  BIO_meth_set_read(method, bio_read);
  BIO_meth_set_ctrl(method, bio_control);
  datagram_bio = method;
}

// --- Identity ---------------------------------------------------------------------------------------------------------------

static bool make_certificate(X509 *certificate, EVP_PKEY *key) {
  X509_NAME *name = X509_get_subject_name(certificate);
  BIGNUM *serial = BN_new();
  bool ok = serial && BN_rand(serial, serial_bits, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1 &&
            BN_to_ASN1_INTEGER(serial, X509_get_serialNumber(certificate)) != NULL && X509_set_version(certificate, X509_VERSION_3) == 1 &&
            X509_gmtime_adj(X509_getm_notBefore(certificate), -certificate_backdated_seconds) != NULL &&
            X509_gmtime_adj(X509_getm_notAfter(certificate), certificate_seconds) != NULL && X509_set_pubkey(certificate, key) == 1 &&
            X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"srs-stack", -1, -1, 0) == 1 &&
            X509_set_issuer_name(certificate, name) == 1 && X509_sign(certificate, key, EVP_sha256()) > 0;
  BN_free(serial);
  return ok;
}

// Replaces OpenSSL's verification of certificate chains, which would verify the signatures of any chain from a peer. There is no trust
// anchor here: only the fingerprint identifies the peer (RFC 8122).
static int verify_certificate(X509_STORE_CTX *store, void *unused) {
  (void)unused;
  SSL *ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
  const struct dtls *dtls = ssl ? SSL_get_app_data(ssl) : NULL;
  X509 *certificate = X509_STORE_CTX_get0_cert(store);
  uint8_t digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  bool ok = dtls && certificate && X509_digest(certificate, dtls->peer.hash, digest, &length) == 1 && is_expected_digest(&dtls->peer, digest, length);
  X509_STORE_CTX_set_error(store, ok ? X509_V_OK : X509_V_ERR_CERT_REJECTED);
  return ok;
}

// Cookie of an address, from a key that only this session knows. A peer that returns the cookie really receives packets at this address.
static bool make_cookie(const struct dtls *dtls, uint8_t cookie[cookie_bytes]) {
  uint8_t whole[EVP_MAX_MD_SIZE];
  size_t length = 0;
  if (!dtls->address || !dtls->has_cookie_key ||
      !EVP_Q_mac(NULL, "HMAC", NULL, "SHA256", NULL, dtls->cookie_key, sizeof dtls->cookie_key, dtls->address, dtls->address_bytes, whole,
                 sizeof whole, &length) ||
      length < cookie_bytes)
    return false;
  memcpy(cookie, whole, cookie_bytes);
  return true;
}

static int generate_cookie(SSL *ssl, unsigned char *cookie, unsigned int *length) {
  *length = cookie_bytes;
  return make_cookie(SSL_get_app_data(ssl), cookie);
}

static int verify_cookie(SSL *ssl, const unsigned char *cookie, unsigned int length) {
  uint8_t expected[cookie_bytes];
  return length == cookie_bytes && make_cookie(SSL_get_app_data(ssl), expected) && CRYPTO_memcmp(cookie, expected, cookie_bytes) == 0;
}

static bool configure(SSL_CTX *context, X509 *certificate, EVP_PKEY *key) {
  // Older encoders use 1,024-bit certificates. The signalling call authenticated their fingerprint.
  SSL_CTX_set_security_level(context, 1);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET | SSL_OP_NO_QUERY_MTU | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_read_ahead(context, 1);
  SSL_CTX_set_max_cert_list(context, DTLS_MAX_MESSAGE_BYTES);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
  SSL_CTX_set_cert_verify_callback(context, verify_certificate, NULL);
  SSL_CTX_set_cookie_generate_cb(context, generate_cookie);
  SSL_CTX_set_cookie_verify_cb(context, verify_cookie);
  return SSL_CTX_set_min_proto_version(context, DTLS1_2_VERSION) == 1 && SSL_CTX_set_cipher_list(context, ciphers) == 1 &&
         SSL_CTX_set_tlsext_use_srtp(context, srtp_profiles) == 0 && SSL_CTX_use_certificate(context, certificate) == 1 &&
         SSL_CTX_use_PrivateKey(context, key) == 1;
}

bool dtls_identity_open(struct dtls_identity *identity) {
  memset(identity, 0, sizeof *identity);
  EVP_PKEY *key = EVP_EC_gen("P-256");
  X509 *certificate = X509_new();
  identity->context = SSL_CTX_new(DTLS_method());
  unsigned int length = 0;
  bool ok = key && certificate && identity->context && make_certificate(certificate, key) && configure(identity->context, certificate, key) &&
            X509_digest(certificate, EVP_sha256(), identity->fingerprint, &length) == 1;
  X509_free(certificate);
  EVP_PKEY_free(key);
  if (!ok) dtls_identity_close(identity);
  ERR_clear_error();
  return ok;
}

void dtls_identity_close(struct dtls_identity *identity) {
  SSL_CTX_free(identity->context);
  identity->context = NULL;
}

// --- Sessions ---------------------------------------------------------------------------------------------------------------

static unsigned int next_repetition(SSL *ssl, unsigned int previous_us) {
  (void)ssl;
  if (previous_us == 0) return first_repetition_us;
  return previous_us * 2 < longest_repetition_us ? previous_us * 2 : longest_repetition_us;
}

static bool begin(struct dtls *dtls, SSL_CTX *context) {
  dtls->state = DTLS_CLOSED;
  BIO *bio = datagram_bio ? BIO_new(datagram_bio) : NULL;
  dtls->ssl = SSL_new(context);
  if (!bio || !dtls->ssl) {
    BIO_free(bio);
    ERR_clear_error();
    return false;
  }
  BIO_set_data(bio, dtls);
  BIO_set_init(bio, 1);
  SSL_set_app_data(dtls->ssl, dtls);
  SSL_set_bio(dtls->ssl, bio, bio);
  DTLS_set_link_mtu(dtls->ssl, link_mtu_bytes);
  DTLS_set_timer_cb(dtls->ssl, next_repetition);
  if (dtls->gate.is_server) SSL_set_accept_state(dtls->ssl);
  else SSL_set_connect_state(dtls->ssl);
  dtls->state = DTLS_HANDSHAKING;
  return true;
}

bool dtls_open(struct dtls *dtls, const struct dtls_identity *identity, bool is_server, const struct dtls_peer_certificate *peer,
               dtls_send_function send, void *owner) {
  memset(dtls, 0, sizeof *dtls);
  dtls->peer = *peer;
  dtls->send = send;
  dtls->owner = owner;
  gate_open(&dtls->gate, is_server);
  static uv_once_t once = UV_ONCE_INIT;
  uv_once(&once, make_datagram_bio);
  return begin(dtls, identity->context);
}

static bool is_waiting(const struct dtls *dtls, int result) {
  int error = SSL_get_error(dtls->ssl, result);
  return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
}

static void shake_hands(struct dtls *dtls) {
  int result = SSL_do_handshake(dtls->ssl);
  if (result == 1) {
    dtls->state = DTLS_CONNECTED;
    gate_close(&dtls->gate); // the handshake is over: frees fragments
  } else if (!is_waiting(dtls, result)) {
    dtls->state = DTLS_CLOSED;
  }
}

// After the handshake, a peer sends close_notify over DTLS, or repeats its last flight when the server's last flight was lost.
static void listen_on(struct dtls *dtls) {
  uint8_t ignored[max_plain_bytes];
  int result = SSL_read(dtls->ssl, ignored, sizeof ignored);
  if (result <= 0 && !is_waiting(dtls, result)) dtls->state = DTLS_CLOSED;
  OPENSSL_cleanse(ignored, sizeof ignored);
}

enum dtls_state dtls_start(struct dtls *dtls) {
  ERR_clear_error();
  if (dtls->state == DTLS_HANDSHAKING) shake_hands(dtls);
  ERR_clear_error();
  return dtls->state;
}

bool dtls_listen(struct dtls *dtls, const uint8_t *datagram, size_t length, const uint8_t *address, size_t address_bytes) {
  if (dtls->state != DTLS_HANDSHAKING || dtls->is_fed) return false;
  if (!dtls->has_cookie_key) dtls->has_cookie_key = RAND_bytes(dtls->cookie_key, sizeof dtls->cookie_key) == 1;
  BIO_ADDR *unused = BIO_ADDR_new();
  if (!dtls->has_cookie_key || !unused) return false;
  ERR_clear_error();
  dtls->received = datagram;
  dtls->received_bytes = length;
  dtls->address = address;
  dtls->address_bytes = address_bytes;
  bool is_proven = DTLSv1_listen(dtls->ssl, unused) == 1;
  dtls->gate.has_answered = false; // a cookie is no response within the handshake
  if (is_proven) {
    gate_follow_cookie(&dtls->gate, datagram);
    dtls->is_fed = true;
    shake_hands(dtls); // OpenSSL processes the buffered ClientHello again
  }
  dtls->received = NULL;
  dtls->address = NULL;
  BIO_ADDR_free(unused);
  ERR_clear_error();
  return is_proven;
}

// Minimum length of an encrypted record for OpenSSL. OpenSSL ends the connection at a record without room for nonce and tag, even if an
// attacker sent it. RFC 6347 §4.1.2.7 requires forged records to be dropped.
static size_t shortest_encrypted(const struct dtls *dtls) {
  const SSL_CIPHER *cipher = SSL_get_current_cipher(dtls->ssl);
  bool is_chacha = cipher && SSL_CIPHER_get_cipher_nid(cipher) == NID_chacha20_poly1305;
  return is_chacha ? chacha_growth_bytes : gcm_growth_bytes;
}

static void feed(struct dtls *dtls, const uint8_t *datagram, size_t length) {
  ERR_clear_error();
  dtls->received = datagram;
  dtls->received_bytes = length;
  if (dtls->state == DTLS_HANDSHAKING) shake_hands(dtls);
  if (dtls->state == DTLS_CONNECTED) listen_on(dtls);
  dtls->received = NULL;
  ERR_clear_error();
}

// Whether a failed handshake can restart: before the server's first response, the peer's first message can start a new handshake.
static bool can_renew(const struct dtls *dtls) { return dtls->gate.is_server && !dtls->gate.has_answered; }

static bool renew(struct dtls *dtls) {
  SSL *failed = dtls->ssl;
  bool has_begun = begin(dtls, SSL_get_SSL_CTX(failed));
  SSL_free(failed);
  gate_restart(&dtls->gate);
  dtls->is_fed = false;
  dtls->renewals++;
  return has_begun;
}

enum dtls_state dtls_receive(struct dtls *dtls, const uint8_t *datagram, size_t length, bool *is_plausible) {
  uint8_t passed[GATE_OUTPUT_BYTES];
  *is_plausible = false;
  if (dtls->state == DTLS_CLOSED || length > DTLS_MAX_DATAGRAM_BYTES) return dtls->state;
  if (can_renew(dtls) && dtls->renewals >= max_renewals) return dtls->state; // the peer repeats dropped messages
  dtls->gate.shortest_encrypted = shortest_encrypted(dtls);
  size_t bytes = dtls->state == DTLS_CONNECTED ? gate_filter_connected(&dtls->gate, datagram, length, passed)
                                               : gate_filter(&dtls->gate, &dtls->peer, datagram, length, passed);
  if (bytes == 0) return dtls->state;
  *is_plausible = true;
  bool was_fed = dtls->is_fed;
  dtls->is_fed = true;
  feed(dtls, passed, bytes);
  // Earlier fragments from an attacker may have caused the failure, so the datagram is processed again in a new handshake.
  if (dtls->state == DTLS_CLOSED && can_renew(dtls) && renew(dtls) && was_fed) {
    feed(dtls, passed, bytes);
    if (dtls->state == DTLS_CLOSED && can_renew(dtls)) renew(dtls);
  }
  return dtls->state;
}

enum dtls_state dtls_tick(struct dtls *dtls) {
  if (dtls->state != DTLS_HANDSHAKING) return dtls->state;
  dtls->renewals = 0;
  ERR_clear_error();
  // A result of 0 means that nothing is due. A negative result means that the maximum number of retransmissions is reached.
  if (DTLSv1_handle_timeout(dtls->ssl) < 0) dtls->state = DTLS_CLOSED;
  ERR_clear_error();
  return dtls->state;
}

bool dtls_export(struct dtls *dtls, bool is_server, enum srtp_profile *profile, struct dtls_srtp_keys *own, struct dtls_srtp_keys *others) {
  static const char label[] = "EXTRACTOR-dtls_srtp";
  const SRTP_PROTECTION_PROFILE *agreed = SSL_get_selected_srtp_profile(dtls->ssl);
  if (!agreed) return false;
  if (agreed->id != SRTP_PROFILE_AES128_CM_SHA1_80 && agreed->id != SRTP_PROFILE_AEAD_AES_128_GCM) return false;
  *profile = (enum srtp_profile)agreed->id;
  size_t salt_bytes = srtp_salt_bytes(*profile);
  uint8_t material[2 * (SRTP_MASTER_KEY_BYTES + SRTP_MAX_SALT_BYTES)];
  size_t length = 2 * (SRTP_MASTER_KEY_BYTES + salt_bytes);
  bool ok = SSL_export_keying_material(dtls->ssl, material, length, label, sizeof label - 1, NULL, 0, 0) == 1;
  if (ok) {
    // Order of the exported material: client's key, server's key, client's salt, server's salt.
    size_t own_place = is_server ? 1 : 0;
    const uint8_t *salts = material + 2 * SRTP_MASTER_KEY_BYTES;
    memcpy(own->key, material + own_place * SRTP_MASTER_KEY_BYTES, SRTP_MASTER_KEY_BYTES);
    memcpy(others->key, material + (1 - own_place) * SRTP_MASTER_KEY_BYTES, SRTP_MASTER_KEY_BYTES);
    memcpy(own->salt, salts + own_place * salt_bytes, salt_bytes);
    memcpy(others->salt, salts + (1 - own_place) * salt_bytes, salt_bytes);
  }
  OPENSSL_cleanse(material, sizeof material);
  ERR_clear_error();
  return ok;
}

void dtls_close(struct dtls *dtls, bool says_goodbye) {
  if (!dtls->ssl) return;
  ERR_clear_error();
  if (says_goodbye && dtls->state == DTLS_CONNECTED) SSL_shutdown(dtls->ssl);
  SSL_free(dtls->ssl);
  ERR_clear_error();
  gate_close(&dtls->gate);
  dtls->ssl = NULL;
  dtls->state = DTLS_CLOSED;
}
