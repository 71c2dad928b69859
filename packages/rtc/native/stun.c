#include "stun.h"
#include <openssl/crypto.h>
#include <string.h>

enum {
  header_bytes = 20,
  transaction_at = 8,
  attribute_header_bytes = 4,
  // Maximum number of attributes. A browser's check has nine.
  max_attributes = 32,
  binding_request = 0x0001,
  binding_success = 0x0101,
  attribute_username = 0x0006,
  attribute_integrity = 0x0008,
};

static const uint8_t cookie[] = {0x21, 0x12, 0xa4, 0x42};

static size_t read16(const uint8_t *bytes) { return (size_t)(bytes[0] << 8 | bytes[1]); }

static struct slice receiver_of(struct slice username) {
  const uint8_t *colon = memchr(username.bytes, ':', username.length);
  return (struct slice){username.bytes, colon ? (size_t)(colon - username.bytes) : 0};
}

// Reads the attributes up to MESSAGE-INTEGRITY; false for malformed or too many attributes.
static bool read_attributes(struct stun_message *message, const uint8_t *datagram, size_t length) {
  size_t count = 0;
  for (size_t at = header_bytes; at < length && message->integrity_at == 0;) {
    if (++count > max_attributes || at + attribute_header_bytes > length) return false;
    size_t type = read16(datagram + at);
    size_t value_bytes = read16(datagram + at + 2);
    size_t next = at + attribute_header_bytes + (value_bytes + 3) / 4 * 4;
    if (next > length) return false;
    if (type == attribute_integrity) {
      if (value_bytes != HMAC_SHA1_BYTES) return false;
      message->integrity_at = at;
    } else if (type == attribute_username && !message->receiver.bytes) {
      message->receiver = receiver_of((struct slice){datagram + at + attribute_header_bytes, value_bytes});
    }
    at = next;
  }
  return true;
}

struct stun_message stun_read(const uint8_t *datagram, size_t length) {
  struct stun_message message = {.kind = STUN_OTHER};
  if (length < header_bytes || memcmp(datagram + 4, cookie, sizeof cookie) != 0) return message;
  size_t body = read16(datagram + 2);
  if (body % 4 != 0 || header_bytes + body != length) return message;
  size_t type = read16(datagram);
  if ((type != binding_request && type != binding_success) || !read_attributes(&message, datagram, length)) return message;
  message.transaction = datagram + transaction_at;
  message.kind = type == binding_request ? STUN_REQUEST : STUN_SUCCESS;
  return message;
}

bool stun_has_integrity(const struct stun_message *message, const uint8_t *datagram, const struct hmac_sha1 *key) {
  if (message->integrity_at == 0) return false;
  // RFC 8489 §14.5: the tag covers a header whose length ends at this attribute.
  size_t body = message->integrity_at + attribute_header_bytes + HMAC_SHA1_BYTES - header_bytes;
  uint8_t header[header_bytes];
  memcpy(header, datagram, sizeof header);
  header[2] = (uint8_t)(body >> 8);
  header[3] = (uint8_t)body;
  uint8_t tag[HMAC_SHA1_BYTES];
  struct slice attributes = {datagram + header_bytes, message->integrity_at - header_bytes};
  hmac_sha1_tag(key, (struct slice){header, sizeof header}, attributes, tag);
  return CRYPTO_memcmp(tag, datagram + message->integrity_at + attribute_header_bytes, sizeof tag) == 0;
}
