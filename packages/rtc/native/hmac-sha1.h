// HMAC-SHA1 (RFC 2104). The key state is computed once, so a tag costs only the hash of its data.
#ifndef HMAC_SHA1_H
#define HMAC_SHA1_H
#include <openssl/sha.h>
#include <stddef.h>
#include <stdint.h>

enum {
  // Maximum key length, bytes: one SHA-1 block. A longer key, which the product never uses, would have to be hashed first.
  HMAC_SHA1_MAX_KEY_BYTES = 64,
  HMAC_SHA1_BYTES = SHA_DIGEST_LENGTH,
};

struct hmac_sha1 {
  SHA_CTX inner;
  SHA_CTX outer;
};

struct slice {
  const uint8_t *bytes;
  size_t length;
};

void hmac_sha1_open(struct hmac_sha1 *hmac, const uint8_t *key, size_t length);
// The tag of two concatenated slices.
void hmac_sha1_tag(const struct hmac_sha1 *hmac, struct slice head, struct slice tail, uint8_t tag[HMAC_SHA1_BYTES]);

#endif
