#include "handshake-gate.h"
#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>

enum {
  record_header_bytes = 13,
  record_change_cipher_spec = 20,
  record_handshake = 22,
  // Epoch of encrypted handshake records. Without renegotiation there are no higher epochs.
  encrypted_epoch = 1,
  message_header_bytes = 12,
  // Maximum number of messages per datagram. A complete flight has five; fragments add some.
  max_messages = 32,
};

// Message types (RFC 5246 §7.4, RFC 6347 §4.3.2, RFC 6066 §8).
enum {
  client_hello = 1,
  server_hello = 2,
  hello_verify_request = 3,
  certificate = 11,
  server_key_exchange = 12,
  certificate_request = 13,
  server_hello_done = 14,
  certificate_verify = 15,
  client_key_exchange = 16,
  certificate_status = 22,
};

struct record {
  uint8_t type;
  uint16_t epoch;
  const uint8_t *header;
  const uint8_t *body;
  size_t length;
};

// A message, or a fragment of a message.
struct message {
  uint8_t type;
  uint16_t number;
  size_t total;
  size_t offset;
  size_t length;
  // Start of the message's header.
  const uint8_t *start;
  const uint8_t *body;
};

struct output {
  uint8_t *bytes;
  size_t length;
};

static size_t read16(const uint8_t *bytes) { return (size_t)(bytes[0] << 8 | bytes[1]); }
static size_t read24(const uint8_t *bytes) { return (size_t)bytes[0] << 16 | read16(bytes + 1); }

static void write16(uint8_t *bytes, size_t value) {
  bytes[0] = (uint8_t)(value >> 8);
  bytes[1] = (uint8_t)value;
}

static void write24(uint8_t *bytes, size_t value) {
  bytes[0] = (uint8_t)(value >> 16);
  write16(bytes + 1, value);
}

bool is_expected_digest(const struct dtls_peer_certificate *peer, const uint8_t *digest, size_t length) {
  bool is_expected = false;
  for (size_t at = 0; length > 0 && at + length <= peer->digest_bytes; at += length)
    is_expected = CRYPTO_memcmp(digest, peer->digests + at, length) == 0 || is_expected;
  return is_expected;
}

// --- Reading ----------------------------------------------------------------------------------------------------------------

// Reads the next record of the datagram; false after the last complete record.
static bool next_record(const uint8_t *datagram, size_t length, size_t *at, struct record *record) {
  if (*at + record_header_bytes > length) return false;
  const uint8_t *header = datagram + *at;
  size_t body = read16(header + 11);
  if (*at + record_header_bytes + body > length) return false;
  *record = (struct record){header[0], (uint16_t)read16(header + 3), header, header + record_header_bytes, body};
  *at += record_header_bytes + body;
  return true;
}

// Reads the next message of a record; false after the last message, and for a malformed message.
static bool next_message(const struct record *record, size_t *at, struct message *message) {
  if (*at + message_header_bytes > record->length) return false;
  const uint8_t *start = record->body + *at;
  *message = (struct message){start[0], (uint16_t)read16(start + 4), read24(start + 1), read24(start + 6),
                              read24(start + 9), start, start + message_header_bytes};
  if (message->total > DTLS_MAX_MESSAGE_BYTES || message->offset + message->length > message->total) return false;
  // An empty fragment of a non-empty message has no use.
  if ((message->length == 0 && message->total > 0) || *at + message_header_bytes + message->length > record->length) return false;
  *at += message_header_bytes + message->length;
  return true;
}

static bool is_whole(const struct message *message) { return message->length == message->total; }

// Skips a vector whose length field has `length_bytes`. Returns false if the vector is too long or too short, or its length is not a
// multiple of `unit`.
static bool skip_vector(const uint8_t *bytes, size_t length, size_t *at, size_t length_bytes, size_t least, size_t unit) {
  if (*at + length_bytes > length) return false;
  size_t vector = length_bytes == 1 ? bytes[*at] : read16(bytes + *at);
  *at += length_bytes + vector;
  return vector >= least && vector % unit == 0 && *at <= length;
}

// Checks the structure of a ClientHello (RFC 6347 §4.2.1, RFC 5246 §7.4.1.2): version, random, session, cookie, ciphers, compression
// methods, extensions.
static bool is_client_hello(const uint8_t *body, size_t length) {
  enum { version_and_random_bytes = 34, max_session_bytes = 32 };
  size_t at = version_and_random_bytes;
  if (length <= at || body[0] != 0xfe || body[at] > max_session_bytes) return false;
  if (!skip_vector(body, length, &at, 1, 0, 1) || !skip_vector(body, length, &at, 1, 0, 1)) return false;
  if (!skip_vector(body, length, &at, 2, 2, 2) || !skip_vector(body, length, &at, 1, 1, 1)) return false;
  if (at == length) return true;
  if (at + 2 > length || at + 2 + read16(body + at) != length) return false;
  for (at += 2; at < length;) {
    at += 2;
    if (!skip_vector(body, length, &at, 2, 0, 1)) return false;
  }
  return true;
}

// The first certificate of the list must be the peer's (RFC 5246 §7.4.2).
static bool is_certificate_of(const struct dtls_peer_certificate *peer, const uint8_t *body, size_t length) {
  enum { list_length_bytes = 3, entry_length_bytes = 3 };
  if (length < list_length_bytes + entry_length_bytes || read24(body) != length - list_length_bytes) return false;
  size_t first = read24(body + list_length_bytes);
  uint8_t digest[EVP_MAX_MD_SIZE];
  unsigned int digest_bytes = 0;
  if (first > length - list_length_bytes - entry_length_bytes) return false;
  const uint8_t *encoded = body + list_length_bytes + entry_length_bytes;
  return EVP_Digest(encoded, first, digest, &digest_bytes, peer->hash, NULL) == 1 && is_expected_digest(peer, digest, digest_bytes);
}

// --- Writing ----------------------------------------------------------------------------------------------------------------

static bool begin_record(struct handshake_gate *gate, struct output *out, const struct record *record, size_t length) {
  if (out->length + record_header_bytes + length > GATE_OUTPUT_BYTES) return false;
  uint8_t *header = out->bytes + out->length;
  memcpy(header, record->header, record_header_bytes);
  if (record->epoch == 0) {
    uint64_t number = gate->next_number++;
    for (size_t i = 0; i < 6; i++) header[5 + i] = (uint8_t)(number >> (8 * (5 - i)));
  }
  write16(header + 11, length);
  out->length += record_header_bytes;
  return true;
}

static void pass(struct handshake_gate *gate, struct output *out, const struct record *record, const uint8_t *body, size_t length) {
  if (!begin_record(gate, out, record, length)) return;
  memcpy(out->bytes + out->length, body, length);
  out->length += length;
}

static void pass_message(struct handshake_gate *gate, struct output *out, const struct record *record, const struct message *message) {
  pass(gate, out, record, message->start, message_header_bytes + message->length);
}

// --- Certificates -----------------------------------------------------------------------------------------------------------

static void drop_fragments(struct handshake_gate *gate) {
  free(gate->fragments.bytes);
  memset(&gate->fragments, 0, sizeof gate->fragments);
}

// Returns true when the message is complete.
static bool add_fragment(struct handshake_gate *gate, const struct message *message) {
  struct gate_fragments *fragments = &gate->fragments;
  if (fragments->length != message->total) drop_fragments(gate);
  if (!fragments->bytes) {
    fragments->bytes = calloc(2, message->total);
    if (!fragments->bytes) return false;
    fragments->length = fragments->missing = message->total;
  }
  uint8_t *has_come = fragments->bytes + fragments->length;
  memcpy(fragments->bytes + message->offset, message->body, message->length);
  for (size_t i = message->offset; i < message->offset + message->length; i++) {
    fragments->missing -= has_come[i] ? 0 : 1;
    has_come[i] = 1;
  }
  return fragments->missing == 0;
}

static void pass_fragments(struct handshake_gate *gate, struct output *out, const struct record *record, const struct message *message) {
  if (!begin_record(gate, out, record, message_header_bytes + message->total)) return;
  uint8_t *header = out->bytes + out->length;
  memcpy(header, message->start, message_header_bytes);
  write24(header + 6, 0);
  write24(header + 9, message->total);
  memcpy(header + message_header_bytes, gate->fragments.bytes, message->total);
  out->length += message_header_bytes + message->total;
}

// Passes the certificate to OpenSSL as one message, even if it arrived in fragments. A repeated certificate also passes, because OpenSSL
// may have dropped early data.
static void take_certificate(struct handshake_gate *gate, const struct dtls_peer_certificate *peer, struct output *out, const struct record *record,
                             const struct message *message) {
  if (is_whole(message)) {
    if (!is_certificate_of(peer, message->body, message->length)) return;
    pass_message(gate, out, record, message);
    gate->has_certificate = true;
  } else if (add_fragment(gate, message)) {
    if (is_certificate_of(peer, gate->fragments.bytes, gate->fragments.length)) {
      pass_fragments(gate, out, record, message);
      gate->has_certificate = true;
    }
    drop_fragments(gate);
  }
}

// --- Rules ------------------------------------------------------------------------------------------------------------------

// Whether a client may send this message now. The order is: ClientHello until ServerHello is sent, then the certificate, then the rest once
// the certificate is verified.
static bool may_client_say(const struct handshake_gate *gate, const struct message *message) {
  switch (message->type) {
    case client_hello:
      return !gate->has_answered && message->number == gate->first_message && (!is_whole(message) || is_client_hello(message->body, message->length));
    case certificate:
      return gate->has_answered && message->number == gate->first_message + 1;
    case client_key_exchange:
      return gate->has_certificate && message->number == gate->first_message + 2;
    case certificate_verify:
      return gate->has_certificate && message->number == gate->first_message + 3;
    default:
      return false;
  }
}

static bool may_server_say(const struct message *message) {
  switch (message->type) {
    case server_hello:
    case hello_verify_request:
    case certificate:
    case server_key_exchange:
    case certificate_request:
    case server_hello_done:
    case certificate_status:
      return true;
    default:
      return false;
  }
}

static void filter_messages(struct handshake_gate *gate, const struct dtls_peer_certificate *peer, struct output *out, const struct record *record) {
  struct message message;
  size_t at = 0;
  for (size_t count = 0; count < max_messages && next_message(record, &at, &message); count++) {
    if (!(gate->is_server ? may_client_say(gate, &message) : may_server_say(&message))) continue;
    if (message.type == certificate) take_certificate(gate, peer, out, record, &message);
    else pass_message(gate, out, record, &message);
  }
}

static bool is_sealed(const struct handshake_gate *gate, const struct record *record) {
  return record->epoch == encrypted_epoch && record->length >= gate->shortest_encrypted;
}

static bool is_change_cipher_spec(const struct handshake_gate *gate, const struct record *record) {
  bool may_come = gate->is_server ? gate->has_certificate : true;
  return may_come && record->type == record_change_cipher_spec && record->length == 1 && record->body[0] == 1;
}

size_t gate_filter(struct handshake_gate *gate, const struct dtls_peer_certificate *peer, const uint8_t *datagram, size_t length, uint8_t *out) {
  struct output output = {out, 0};
  struct record record;
  for (size_t at = 0; next_record(datagram, length, &at, &record);) {
    if (record.epoch != 0) {
      if (is_sealed(gate, &record) && (gate->has_answered || !gate->is_server)) pass(gate, &output, &record, record.body, record.length);
    } else if (record.type == record_handshake) {
      filter_messages(gate, peer, &output, &record);
    } else if (is_change_cipher_spec(gate, &record)) {
      pass(gate, &output, &record, record.body, record.length);
    }
  }
  return output.length;
}

size_t gate_filter_connected(const struct handshake_gate *gate, const uint8_t *datagram, size_t length, uint8_t *out) {
  size_t passed = 0;
  struct record record;
  for (size_t at = 0; next_record(datagram, length, &at, &record);) {
    if (!is_sealed(gate, &record)) continue;
    memcpy(out + passed, record.header, record_header_bytes + record.length);
    passed += record_header_bytes + record.length;
  }
  return passed;
}

// --- Opening and closing ----------------------------------------------------------------------------------------------------

void gate_open(struct handshake_gate *gate, bool is_server) {
  memset(gate, 0, sizeof *gate);
  gate->is_server = is_server;
}

void gate_restart(struct handshake_gate *gate) {
  gate->has_answered = gate->has_certificate = false;
  drop_fragments(gate);
}

void gate_follow_cookie(struct handshake_gate *gate, const uint8_t *datagram) {
  gate->first_message = 1;
  gate->next_number = 1;
  for (size_t i = 0; i < 6; i++) gate->next_number += (uint64_t)datagram[5 + i] << (8 * (5 - i));
}

void gate_close(struct handshake_gate *gate) { drop_fragments(gate); }
