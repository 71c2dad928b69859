// Compares this SRTP implementation with libsrtp. Both must write equal bytes, decrypt each other's packets, and refuse equal inputs.
// `native.long.test.ts` builds and runs this program with sanitizers. A failure is printed; the exit code of a success is 0.
#include <srtp2/srtp.h>
// libsrtp has functions of these names, too.
#define srtp_protect_rtcp our_protect_rtcp
#define srtp_unprotect_rtcp our_unprotect_rtcp
#include "../srtp.c"
#include <stdio.h>

enum { packets = 20000, max_packet = 1400, room = max_packet + 160, window_packets = SRTP_REPLAY_PACKETS };

static int failures;

static void expect(bool is_true, const char *what) {
  if (is_true) return;
  failures++;
  fprintf(stderr, "failed: %s\n", what);
}

static uint32_t random_state = 4711;
static uint32_t random_number(uint32_t limit) { return ((random_state = random_state * 1664525u + 1013904223u) >> 8) % limit; }

struct rig {
  enum srtp_profile profile;
  struct srtp sender, receiver;
  srtp_t their_sender, their_receiver;
};

static srtp_t open_theirs(enum srtp_profile profile, srtp_ssrc_type_t direction, uint8_t *material) {
  srtp_policy_t policy;
  memset(&policy, 0, sizeof policy);
  if (profile == SRTP_PROFILE_AEAD_AES_128_GCM) {
    srtp_crypto_policy_set_aes_gcm_128_16_auth(&policy.rtp);
    srtp_crypto_policy_set_aes_gcm_128_16_auth(&policy.rtcp);
  } else {
    srtp_crypto_policy_set_aes_cm_128_hmac_sha1_80(&policy.rtp);
    srtp_crypto_policy_set_aes_cm_128_hmac_sha1_80(&policy.rtcp);
  }
  policy.ssrc.type = direction;
  policy.key = material;
  policy.window_size = window_packets;
  policy.allow_repeat_tx = 1;
  srtp_t session = NULL;
  expect(srtp_create(&session, &policy) == srtp_err_status_ok, "libsrtp opens");
  return session;
}

static void open_rig(struct rig *rig, enum srtp_profile profile) {
  uint8_t material[SRTP_MASTER_KEY_BYTES + SRTP_MAX_SALT_BYTES];
  for (size_t i = 0; i < sizeof material; i++) material[i] = (uint8_t)random_number(256);
  rig->profile = profile;
  const uint8_t *salt = material + SRTP_MASTER_KEY_BYTES;
  expect(srtp_open(&rig->sender, profile, true, material, salt) && srtp_open(&rig->receiver, profile, false, material, salt), "ours opens");
  rig->their_sender = open_theirs(profile, ssrc_any_outbound, material);
  rig->their_receiver = open_theirs(profile, ssrc_any_inbound, material);
}

static void close_rig(struct rig *rig) {
  srtp_close(&rig->sender);
  srtp_close(&rig->receiver);
  srtp_dealloc(rig->their_sender);
  srtp_dealloc(rig->their_receiver);
}

static size_t make_rtp(uint8_t *packet, uint32_t ssrc, uint16_t sequence) {
  size_t sources = random_number(4) == 0 ? random_number(16) : 0;
  size_t extension = random_number(3) == 0 ? 1 + random_number(8) : 0;
  size_t header = 12 + 4 * sources + (extension ? 4 + 4 * extension : 0);
  size_t length = header + random_number(4) * random_number(300);
  for (size_t i = 0; i < length; i++) packet[i] = (uint8_t)random_number(256);
  packet[0] = (uint8_t)(0x80 | (extension ? 0x10 : 0) | sources);
  packet[1] = (uint8_t)(96 + random_number(20));
  packet[2] = (uint8_t)(sequence >> 8);
  packet[3] = (uint8_t)sequence;
  for (int i = 0; i < 4; i++) packet[8 + i] = (uint8_t)(ssrc >> (24 - 8 * i));
  if (extension) {
    packet[12 + 4 * sources + 2] = 0;
    packet[12 + 4 * sources + 3] = (uint8_t)extension;
  }
  return length;
}

static size_t make_rtcp(uint8_t *packet, uint32_t ssrc) {
  size_t words = 1 + random_number(60);
  size_t length = 4 + 4 * words;
  for (size_t i = 0; i < length; i++) packet[i] = (uint8_t)random_number(256);
  packet[0] = 0x80;
  packet[1] = 200;
  packet[2] = (uint8_t)(words >> 8);
  packet[3] = (uint8_t)words;
  for (int i = 0; i < 4; i++) packet[4 + i] = (uint8_t)(ssrc >> (24 - 8 * i));
  return length;
}

// Gives one packet to both implementations. In a third of the calls, a random byte is changed first. Results and output must be equal.
static void open_with_both(struct rig *rig, const uint8_t *sealed, size_t length, bool is_report) {
  uint8_t ours[room], theirs[room];
  memcpy(ours, sealed, length);
  if (random_number(3) == 0) ours[random_number((uint32_t)length)] ^= (uint8_t)(1 + random_number(255));
  // The addon checks these bytes elsewhere (version; RTCP or RTP), so they stay valid.
  ours[0] = sealed[0];
  ours[1] = sealed[1];
  memcpy(theirs, ours, length);
  int opened = is_report ? srtp_unprotect_rtcp(&rig->receiver, ours, length) : srtp_unprotect_rtp(&rig->receiver, ours, length);
  int their_length = (int)length;
  srtp_err_status_t status = is_report ? srtp_unprotect_rtcp_mki(rig->their_receiver, theirs, &their_length, 0)
                                       : srtp_unprotect(rig->their_receiver, theirs, &their_length);
  expect((opened >= 0) == (status == srtp_err_status_ok), "both take a packet, or both refuse it");
  if (opened >= 0 && status == srtp_err_status_ok)
    expect(opened == their_length && memcmp(ours, theirs, (size_t)opened) == 0, "the same comes out");
}

static void compare(enum srtp_profile profile) {
  struct rig rig;
  open_rig(&rig, profile);
  uint16_t sequences[3] = {65000, 10, 40000};
  for (int i = 0; i < packets; i++) {
    uint8_t plain[room], ours[room], theirs[room];
    bool is_report = random_number(5) == 0;
    // RTCP has only one source here. This implementation counts the RTCP packets of all sources together, libsrtp counts per source.
    uint32_t source = is_report ? 0 : random_number(3);
    if (!is_report) sequences[source] = (uint16_t)(sequences[source] + 1 + random_number(20) / 18 * random_number(300));
    size_t length = is_report ? make_rtcp(plain, 100 + source) : make_rtp(plain, 100 + source, sequences[source]);
    memcpy(theirs, plain, length);
    int their_length = (int)length;
    int bytes = is_report ? srtp_protect_rtcp(&rig.sender, plain, length, ours) : srtp_protect_rtp(&rig.sender, plain, length, ours);
    srtp_err_status_t status = is_report ? srtp_protect_rtcp_mki(rig.their_sender, theirs, &their_length, 0, 0) : srtp_protect(rig.their_sender, theirs, &their_length);
    expect(status == srtp_err_status_ok && bytes == their_length, "both protect");
    expect(bytes == their_length && memcmp(ours, theirs, (size_t)bytes) == 0, "both protect to the same bytes");
    open_with_both(&rig, ours, (size_t)bytes, is_report);
    if (random_number(4) == 0) open_with_both(&rig, ours, (size_t)bytes, is_report);
  }
  close_rig(&rig);
}

int main(void) {
  expect(srtp_init() == srtp_err_status_ok, "libsrtp starts");
  compare(SRTP_PROFILE_AES128_CM_SHA1_80);
  compare(SRTP_PROFILE_AEAD_AES_128_GCM);
  srtp_shutdown();
  if (failures > 0) fprintf(stderr, "%d failures\n", failures);
  return failures > 0;
}
