#define OPENSSL_SUPPRESS_DEPRECATED // SHA1_Init
#include "runtime.h"
#include <openssl/crypto.h>
#include <openssl/opensslv.h>
#include <openssl/sha.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <uv.h>

static char problem[160];

static const char *differs(const char *what, size_t built, size_t here) {
  snprintf(problem, sizeof problem, "%s: the addon was built for %zu, but this Node.js has %zu", what, built, here);
  return problem;
}

// OpenSSL does not publish the size of its SHA-1 state. This check computes "abc" (FIPS 180-4): the state must fit into the buffer, and a
// copy must continue like the original.
static bool is_sha1_state_known(void) {
  static const uint8_t expected[SHA_DIGEST_LENGTH] = {0xa9, 0x99, 0x3e, 0x36, 0x47, 0x06, 0x81, 0x6a, 0xba, 0x3e,
                                                      0x25, 0x71, 0x78, 0x50, 0xc2, 0x6c, 0x9c, 0xd0, 0xd8, 0x9d};
  enum { guard_byte = 0xa5, guard_bytes = 256 };
  struct {
    SHA_CTX state;
    uint8_t guard[guard_bytes];
  } original, copy;
  uint8_t digest[SHA_DIGEST_LENGTH];
  memset(&original, guard_byte, sizeof original);
  memset(&copy, guard_byte, sizeof copy);
  SHA1_Init(&original.state);
  SHA1_Update(&original.state, "ab", 2);
  copy.state = original.state;
  SHA1_Update(&copy.state, "c", 1);
  SHA1_Final(digest, &copy.state);
  for (size_t i = 0; i < guard_bytes; i++)
    if (original.guard[i] != guard_byte || copy.guard[i] != guard_byte) return false;
  return memcmp(digest, expected, sizeof digest) == 0;
}

const char *runtime_problem(void) {
  if (OPENSSL_version_major() != OPENSSL_VERSION_MAJOR) return differs("OpenSSL", OPENSSL_VERSION_MAJOR, OPENSSL_version_major());
  if (uv_version() >> 16 != UV_VERSION_MAJOR) return differs("libuv", UV_VERSION_MAJOR, uv_version() >> 16);
  if (uv_handle_size(UV_POLL) != sizeof(uv_poll_t)) return differs("bytes of uv_poll_t", sizeof(uv_poll_t), uv_handle_size(UV_POLL));
  if (uv_handle_size(UV_TIMER) != sizeof(uv_timer_t)) return differs("bytes of uv_timer_t", sizeof(uv_timer_t), uv_handle_size(UV_TIMER));
  return is_sha1_state_known() ? NULL : "the SHA-1 state of this OpenSSL differs from the one that the addon was built for";
}
