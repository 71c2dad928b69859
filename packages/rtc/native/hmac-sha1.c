#define OPENSSL_SUPPRESS_DEPRECATED // SHA1_Update: copying its state makes one HMAC per packet cheap
#include "hmac-sha1.h"
#include <openssl/crypto.h>
#include <string.h>

enum { inner_pad = 0x36, outer_pad = 0x5c };

void hmac_sha1_open(struct hmac_sha1 *hmac, const uint8_t *key, size_t length) {
  uint8_t block[HMAC_SHA1_MAX_KEY_BYTES];
  memset(block, inner_pad, sizeof block);
  for (size_t i = 0; i < length && i < sizeof block; i++) block[i] ^= key[i];
  SHA1_Init(&hmac->inner);
  SHA1_Update(&hmac->inner, block, sizeof block);
  for (size_t i = 0; i < sizeof block; i++) block[i] ^= inner_pad ^ outer_pad;
  SHA1_Init(&hmac->outer);
  SHA1_Update(&hmac->outer, block, sizeof block);
  OPENSSL_cleanse(block, sizeof block);
}

void hmac_sha1_tag(const struct hmac_sha1 *hmac, struct slice head, struct slice tail, uint8_t tag[HMAC_SHA1_BYTES]) {
  SHA_CTX state = hmac->inner;
  SHA1_Update(&state, head.bytes, head.length);
  SHA1_Update(&state, tail.bytes, tail.length);
  SHA1_Final(tag, &state);
  state = hmac->outer;
  SHA1_Update(&state, tag, HMAC_SHA1_BYTES);
  SHA1_Final(tag, &state);
}
