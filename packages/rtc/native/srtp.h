// SRTP and SRTCP of one direction of a session (RFC 3711; AES-GCM: RFC 7714). Uses neither sockets nor a clock.
#ifndef SRTP_H
#define SRTP_H
#include "hmac-sha1.h"
#include <openssl/evp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// DTLS-SRTP profile numbers (RFC 5764 §4.1.2, RFC 7714 §14.2).
enum srtp_profile {
  SRTP_PROFILE_AES128_CM_SHA1_80 = 0x0001,
  SRTP_PROFILE_AEAD_AES_128_GCM = 0x0007,
};

enum {
  SRTP_MASTER_KEY_BYTES = 16,
  SRTP_MAX_SALT_BYTES = 14,
  // Maximum number of bytes that protection adds to a packet: the AES-GCM tag and the SRTCP index.
  SRTP_MAX_GROWTH_BYTES = 20,
  // Maximum number of sources per direction and session. The highest index of each source is kept, because an index must never be used
  // twice.
  SRTP_MAX_SOURCES = 256,
  // Maximum number of sources with replay windows, which packets out of order need: audio, video, retransmissions and probes. Browsers use
  // five.
  SRTP_MAX_WINDOWS = 16,
  // Maximum distance of a packet out of order: one second of a fast publisher, because encoders retransmit lost packets.
  SRTP_REPLAY_PACKETS = 1024,
};

// Bit set of received indices below the highest index.
struct srtp_seen {
  uint64_t bits[SRTP_REPLAY_PACKETS / 64];
};

struct srtp_windows {
  struct srtp_seen rtp;
  struct srtp_seen rtcp;
};

struct srtp_index {
  uint64_t highest;
  bool is_started;
};

struct srtp_source {
  uint32_t ssrc;
  // Packet counter of all sources at the last packet of this source.
  uint64_t used;
  // 48-bit index: roll-over counter and sequence number (RFC 3711 §3.3.1).
  struct srtp_index rtp;
  struct srtp_index rtcp;
  // NULL if other sources took over the windows. All indices up to the highest then count as received.
  struct srtp_windows *windows;
};

struct srtp_cipher {
  EVP_CIPHER_CTX *context;
  uint8_t salt[SRTP_MAX_SALT_BYTES];
  struct hmac_sha1 hmac;
};

struct srtp {
  enum srtp_profile profile;
  struct srtp_cipher rtp;
  struct srtp_cipher rtcp;
  // 31-bit index of outgoing RTCP packets.
  uint32_t rtcp_index;
  uint64_t received;
  size_t source_count;
  size_t window_count;
  struct srtp_source *sources;
};

size_t srtp_salt_bytes(enum srtp_profile profile);

// Derives the keys of one direction. Returns false when memory or the cipher fails; the struct can then still be closed.
bool srtp_open(struct srtp *srtp, enum srtp_profile profile, bool is_sender, const uint8_t *master_key, const uint8_t *master_salt);
void srtp_close(struct srtp *srtp);

// Return the number of bytes written, or -1. `out` needs `length + SRTP_MAX_GROWTH_BYTES` bytes.
int srtp_protect_rtp(struct srtp *srtp, const uint8_t *in, size_t length, uint8_t *out);
int srtp_protect_rtcp(struct srtp *srtp, const uint8_t *in, size_t length, uint8_t *out);
// Decrypt in place. Return -1 for forged, repeated or malformed packets.
int srtp_unprotect_rtp(struct srtp *srtp, uint8_t *packet, size_t length);
int srtp_unprotect_rtcp(struct srtp *srtp, uint8_t *packet, size_t length);

// Size of the RTP header with contributing sources and extension; 0 for a truncated packet (RFC 3550 §5.1).
size_t rtp_header_bytes(const uint8_t *packet, size_t length);
bool is_rtcp(const uint8_t *packet, size_t length);

#endif
