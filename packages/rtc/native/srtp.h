// SRTP and SRTCP of one direction of one session (RFC 3711; AES-GCM: RFC 7714). No sockets, no clock: bytes in, bytes out.
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
  // Maximum growth of a protected packet: the AES-GCM tag and the SRTCP index.
  SRTP_MAX_GROWTH_BYTES = 20,
  // Sources per direction and session. Each keeps its highest index; without it, an index could be used twice.
  SRTP_MAX_SOURCES = 256,
  // Sources with replay windows, so that their packets may arrive out of order: audio, video, retransmissions and probes; browsers use five.
  SRTP_MAX_WINDOWS = 16,
  // Packets that may arrive out of order, per source: one second of a fast publisher, because encoders retransmit lost packets.
  SRTP_REPLAY_PACKETS = 1024,
};

// Bit set of received indices below the highest.
struct srtp_seen {
  uint64_t bits[SRTP_REPLAY_PACKETS / 64];
};

// Replay windows of a received source.
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
  // Number of received packets of all sources when this source last received one.
  uint64_t used;
  // 48 bits: roll-over counter and sequence number (RFC 3711 §3.3.1).
  struct srtp_index rtp;
  struct srtp_index rtcp;
  // NULL when other sources took over the windows: all indices up to the highest count as received.
  struct srtp_windows *windows;
};

struct srtp_cipher {
  EVP_CIPHER_CTX *context;
  uint8_t salt[SRTP_MAX_SALT_BYTES];
  // Unused by AES-GCM.
  struct hmac_sha1 hmac;
};

struct srtp {
  enum srtp_profile profile;
  struct srtp_cipher rtp;
  struct srtp_cipher rtcp;
  // Index of outgoing RTCP packets; 31 bits.
  uint32_t rtcp_index;
  uint64_t received;
  size_t source_count;
  size_t window_count;
  struct srtp_source *sources;
};

// Bytes of the master salt.
size_t srtp_salt_bytes(enum srtp_profile profile);

// Keys of one direction. False when memory allocation or the cipher fails; the struct can still be closed.
bool srtp_open(struct srtp *srtp, enum srtp_profile profile, bool is_sender, const uint8_t *master_key, const uint8_t *master_salt);
void srtp_close(struct srtp *srtp);

// Each returns the number of bytes written, or -1. `out` needs `length + SRTP_MAX_GROWTH_BYTES` bytes.
int srtp_protect_rtp(struct srtp *srtp, const uint8_t *in, size_t length, uint8_t *out);
int srtp_protect_rtcp(struct srtp *srtp, const uint8_t *in, size_t length, uint8_t *out);
// Decrypt in place; -1 for forged, repeated or malformed packets.
int srtp_unprotect_rtp(struct srtp *srtp, uint8_t *packet, size_t length);
int srtp_unprotect_rtcp(struct srtp *srtp, uint8_t *packet, size_t length);

// Size of the RTP header with contributing sources and extension, or 0 for a truncated packet (RFC 3550 §5.1).
size_t rtp_header_bytes(const uint8_t *packet, size_t length);
// Whether a multiplexed packet is RTCP (RFC 5761 §4).
bool is_rtcp(const uint8_t *packet, size_t length);

#endif
