// SRTP with the test vectors of its specifications, and with invalid input. `native.long.test.ts` builds and runs this program with
// sanitizers. A failure is printed; the exit code of a success is 0.
#include "../srtp.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { mutations = 200000, max_packet = 1500 };

static int failures;

static void expect(bool is_true, const char *what) {
  if (is_true) return;
  failures++;
  fprintf(stderr, "failed: %s\n", what);
}

static size_t bytes_of(const char *hex, uint8_t *out) {
  size_t length = strlen(hex) / 2;
  for (size_t i = 0; i < length; i++) {
    unsigned byte;
    sscanf(hex + 2 * i, "%2x", &byte);
    out[i] = (uint8_t)byte;
  }
  return length;
}

static bool equals(const uint8_t *bytes, size_t length, const char *hex) {
  uint8_t expected[max_packet];
  return bytes_of(hex, expected) == length && memcmp(bytes, expected, length) == 0;
}

struct pair {
  struct srtp sender;
  struct srtp receiver;
};

static struct pair open_pair(enum srtp_profile profile, const char *key_hex, const char *salt_hex) {
  uint8_t key[SRTP_MASTER_KEY_BYTES], salt[SRTP_MAX_SALT_BYTES];
  struct pair pair;
  expect(bytes_of(key_hex, key) == sizeof key && bytes_of(salt_hex, salt) == srtp_salt_bytes(profile), "key and salt have their lengths");
  expect(srtp_open(&pair.sender, profile, true, key, salt), "sender opens");
  expect(srtp_open(&pair.receiver, profile, false, key, salt), "receiver opens");
  return pair;
}

static void close_pair(struct pair *pair) {
  srtp_close(&pair->sender);
  srtp_close(&pair->receiver);
}

// RFC 3711 appendix B.3: master key and salt, with the resulting salt and session key.
static void test_key_derivation(void) {
  struct pair pair = open_pair(SRTP_PROFILE_AES128_CM_SHA1_80, "e1f97a0d3e018be0d64fa32c06de4139", "0ec675ad498afeebb6960b3aabe6");
  expect(equals(pair.sender.rtp.salt, 14, "30cbbc08863d8c85d49db34a9ae1"), "session salt of RFC 3711 B.3");
  // Encrypted zeros reveal the session key: they are AES of the IV.
  uint8_t key[16], block[16] = {0}, wanted[16], got[16];
  int length;
  bytes_of("c61e7a93744f39ee10734afe3ff7a087", key);
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  EVP_EncryptInit_ex(context, EVP_aes_128_ctr(), NULL, key, block);
  EVP_EncryptUpdate(context, wanted, &length, block, sizeof block);
  EVP_EncryptInit_ex(pair.sender.rtp.context, NULL, NULL, NULL, block);
  EVP_EncryptUpdate(pair.sender.rtp.context, got, &length, block, sizeof block);
  expect(memcmp(wanted, got, sizeof got) == 0, "session key of RFC 3711 B.3");
  EVP_CIPHER_CTX_free(context);
  close_pair(&pair);
}

static size_t make_rtp(uint8_t *packet, uint32_t ssrc, uint16_t sequence, size_t payload) {
  memset(packet, 0, 12);
  packet[0] = 0x80;
  packet[1] = 96;
  packet[2] = (uint8_t)(sequence >> 8);
  packet[3] = (uint8_t)sequence;
  packet[8] = (uint8_t)(ssrc >> 24);
  packet[9] = (uint8_t)(ssrc >> 16);
  packet[10] = (uint8_t)(ssrc >> 8);
  packet[11] = (uint8_t)ssrc;
  for (size_t i = 0; i < payload; i++) packet[12 + i] = (uint8_t)(i * 7 + sequence);
  return 12 + payload;
}

static size_t make_rtcp(uint8_t *packet, uint32_t ssrc, size_t rest) {
  size_t length = make_rtp(packet, ssrc, 0, rest);
  packet[1] = 200;
  memmove(packet + 4, packet + 8, 4);
  return length;
}

static const char key_hex[] = "000102030405060708090a0b0c0d0e0f";
static const char *salt_of(enum srtp_profile profile) {
  return profile == SRTP_PROFILE_AEAD_AES_128_GCM ? "a0a1a2a3a4a5a6a7a8a9aaab" : "a0a1a2a3a4a5a6a7a8a9aaabacad";
}

static int pass_rtp(struct pair *pair, uint32_t ssrc, uint16_t sequence, size_t payload) {
  uint8_t plain[max_packet], sealed[max_packet + SRTP_MAX_GROWTH_BYTES];
  size_t length = make_rtp(plain, ssrc, sequence, payload);
  int bytes = srtp_protect_rtp(&pair->sender, plain, length, sealed);
  if (bytes < 0) return -2;
  int opened = srtp_unprotect_rtp(&pair->receiver, sealed, (size_t)bytes);
  if (opened >= 0) expect((size_t)opened == length && memcmp(sealed, plain, length) == 0, "a packet comes out as it went in");
  return opened;
}

static void test_round_trips(enum srtp_profile profile) {
  struct pair pair = open_pair(profile, key_hex, salt_of(profile));
  // The sequence numbers wrap three times, with gaps and reordered pairs.
  uint32_t sequence = 65000;
  for (int i = 0; i < 60000; i++, sequence += (uint32_t)(1 + i % 5)) expect(pass_rtp(&pair, 1, (uint16_t)sequence, (size_t)(i % 1200)) >= 0, "in order");
  expect(pass_rtp(&pair, 1, (uint16_t)(sequence + 9), 10) >= 0 && pass_rtp(&pair, 1, (uint16_t)(sequence + 7), 10) >= 0, "out of order");
  expect(pass_rtp(&pair, 1, (uint16_t)(sequence + 7), 10) == -1, "the same packet twice is refused");
  for (int i = 0; i < 3000; i++) {
    uint8_t plain[max_packet], sealed[max_packet + SRTP_MAX_GROWTH_BYTES], again[max_packet + SRTP_MAX_GROWTH_BYTES];
    size_t length = make_rtcp(plain, 1, (size_t)(i % 300));
    int bytes = srtp_protect_rtcp(&pair.sender, plain, length, sealed);
    expect(bytes > 0, "a report is protected");
    memcpy(again, sealed, sizeof again);
    expect(srtp_unprotect_rtcp(&pair.receiver, sealed, (size_t)bytes) == (int)length && memcmp(sealed, plain, length) == 0, "a report comes out");
    expect(srtp_unprotect_rtcp(&pair.receiver, again, (size_t)bytes) == -1, "the same report twice is refused");
  }
  close_pair(&pair);
}

// More sources than windows: all sources continue, and a source without windows accepts no packet twice.
static void test_many_sources(enum srtp_profile profile) {
  struct pair pair = open_pair(profile, key_hex, salt_of(profile));
  uint8_t plain[max_packet], old[max_packet + SRTP_MAX_GROWTH_BYTES], replayed[max_packet + SRTP_MAX_GROWTH_BYTES];
  size_t length = make_rtp(plain, 1, 65000, 50);
  int bytes = srtp_protect_rtp(&pair.sender, plain, length, old);
  memcpy(replayed, old, sizeof replayed);
  expect(srtp_unprotect_rtp(&pair.receiver, replayed, (size_t)bytes) == (int)length, "the first source is taken");
  // Each sequence number is sent once. If a side lost the source's index, the index would restart, and a value would be used twice.
  for (uint32_t sequence = 65001; sequence < 65001 + 2000; sequence++) expect(pass_rtp(&pair, 1, (uint16_t)sequence, 10) >= 0, "in order");
  for (uint32_t ssrc = 2; ssrc <= SRTP_MAX_SOURCES; ssrc++) expect(pass_rtp(&pair, ssrc, 65535, 10) >= 0, "another source");
  expect(pair.receiver.window_count == SRTP_MAX_WINDOWS, "few have windows");
  memcpy(replayed, old, sizeof replayed);
  expect(srtp_unprotect_rtp(&pair.receiver, replayed, (size_t)bytes) == -1, "an old packet of a source without a window is refused");
  expect(pass_rtp(&pair, 1, (uint16_t)(65001 + 2010), 10) >= 0, "the first source goes on");
  memcpy(replayed, old, sizeof replayed);
  expect(srtp_unprotect_rtp(&pair.receiver, replayed, (size_t)bytes) == -1, "its old packets are refused with a new window too");
  expect(pass_rtp(&pair, 1, (uint16_t)(65001 + 2005), 10) >= 0, "it may be out of order again");
  for (uint32_t ssrc = 2; ssrc <= SRTP_MAX_SOURCES; ssrc++) expect(pass_rtp(&pair, ssrc, 0, 10) >= 0, "every source goes on across its roll-over");
  expect(pass_rtp(&pair, 99999, 0, 10) == -2, "one source too many");
  close_pair(&pair);
}

// A sender that repeats a packet must send identical bytes.
static void test_repetition(enum srtp_profile profile) {
  struct pair pair = open_pair(profile, key_hex, salt_of(profile));
  uint8_t plain[max_packet], first[max_packet + SRTP_MAX_GROWTH_BYTES], later[max_packet + SRTP_MAX_GROWTH_BYTES];
  size_t length = make_rtp(plain, 1, 65534, 100);
  int bytes = srtp_protect_rtp(&pair.sender, plain, length, first);
  uint8_t other[max_packet];
  for (uint16_t sequence = 65535; sequence != 300; sequence++) srtp_protect_rtp(&pair.sender, other, make_rtp(other, 1, sequence, 5), later);
  expect(srtp_protect_rtp(&pair.sender, plain, length, later) == bytes && memcmp(first, later, (size_t)bytes) == 0, "repeated across a roll-over");
  close_pair(&pair);
}

static uint32_t random_state = 12345;
static uint32_t random_number(void) { return (random_state = random_state * 1664525u + 1013904223u) >> 8; }

// Forged packets are never decrypted. Exact allocations let the sanitizers detect accesses out of bounds.
static void test_garbage(enum srtp_profile profile) {
  struct pair pair = open_pair(profile, key_hex, salt_of(profile));
  for (int i = 0; i < mutations; i++) {
    uint8_t plain[max_packet], sealed[max_packet + SRTP_MAX_GROWTH_BYTES];
    bool is_report = i % 2 == 1;
    size_t length = is_report ? make_rtcp(plain, 7, random_number() % 64) : make_rtp(plain, 7, (uint16_t)i, random_number() % 64);
    int bytes = is_report ? srtp_protect_rtcp(&pair.sender, plain, length, sealed) : srtp_protect_rtp(&pair.sender, plain, length, sealed);
    size_t cut = random_number() % 4 == 0 ? random_number() % (uint32_t)(bytes + 1) : (size_t)bytes;
    uint8_t *exact = malloc(cut ? cut : 1);
    memcpy(exact, sealed, cut);
    bool is_changed = cut != (size_t)bytes;
    for (uint32_t changes = random_number() % 4; changes > 0 && cut > 0; changes--) {
      uint8_t mask = (uint8_t)(1 + random_number() % 255);
      exact[random_number() % cut] ^= mask;
    }
    is_changed = is_changed || memcmp(exact, sealed, cut) != 0;
    int opened = is_report ? srtp_unprotect_rtcp(&pair.receiver, exact, cut) : srtp_unprotect_rtp(&pair.receiver, exact, cut);
    if (is_changed) expect(opened == -1, "a forged packet is refused");
    else expect(opened >= 0, "an unchanged packet is taken");
    free(exact);
  }
  close_pair(&pair);
}

static void test_headers(void) {
  uint8_t packet[max_packet];
  size_t length = make_rtp(packet, 1, 1, 20);
  expect(rtp_header_bytes(packet, length) == 12, "a plain header");
  expect(rtp_header_bytes(packet, 11) == 0, "a header cut off");
  packet[0] = 0x82;
  expect(rtp_header_bytes(packet, length) == 20, "with two contributing sources");
  packet[0] = 0x8f;
  expect(rtp_header_bytes(packet, length) == 0, "with more sources than packet");
  packet[0] = 0x90;
  packet[14] = 0;
  packet[15] = 2;
  expect(rtp_header_bytes(packet, length) == 24, "with an extension");
  packet[15] = 200;
  expect(rtp_header_bytes(packet, length) == 0, "with an extension longer than the packet");
  packet[0] = 0x40;
  expect(rtp_header_bytes(packet, length) == 0, "of another version");
}

int main(void) {
  test_key_derivation();
  test_headers();
  const enum srtp_profile profiles[] = {SRTP_PROFILE_AES128_CM_SHA1_80, SRTP_PROFILE_AEAD_AES_128_GCM};
  for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) {
    test_round_trips(profiles[i]);
    test_many_sources(profiles[i]);
    test_repetition(profiles[i]);
    test_garbage(profiles[i]);
  }
  if (failures > 0) fprintf(stderr, "%d failures\n", failures);
  return failures > 0;
}
