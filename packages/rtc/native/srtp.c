#include "srtp.h"
#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>

enum {
  cm_tag_bytes = 10,
  gcm_tag_bytes = 16,
  gcm_iv_bytes = 12,
  cm_iv_bytes = 16,
  hmac_key_bytes = 20,
  rtp_fixed_bytes = 12,
  rtcp_fixed_bytes = 8,
  rtcp_index_bytes = 4,
  // Maximum distance of a repeated packet's index from the highest index. Senders keep no older packets. A packet with an older index would
  // thus be a new packet with a used index. AES-GCM must use each index only once (RFC 7714 §8.1).
  max_repeated_behind = 8192,
};

// Labels of derived keys (RFC 3711 §4.3.2). SRTCP labels are three higher than SRTP labels.
enum { label_encryption = 0, label_authentication = 1, label_salt = 2, labels_of_rtcp = 3 };

static const uint32_t rtcp_encrypted_flag = 0x80000000u;
static const uint32_t max_rtcp_index = 0x7fffffffu;

static uint16_t read16(const uint8_t *bytes) { return (uint16_t)(bytes[0] << 8 | bytes[1]); }

static uint32_t read32(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void write32(uint8_t *bytes, uint32_t value) {
  bytes[0] = (uint8_t)(value >> 24);
  bytes[1] = (uint8_t)(value >> 16);
  bytes[2] = (uint8_t)(value >> 8);
  bytes[3] = (uint8_t)value;
}

static void xor_into(uint8_t *bytes, const uint8_t *other, size_t length) {
  for (size_t i = 0; i < length; i++) bytes[i] ^= other[i];
}

static bool is_gcm(const struct srtp *srtp) { return srtp->profile == SRTP_PROFILE_AEAD_AES_128_GCM; }

size_t srtp_salt_bytes(enum srtp_profile profile) { return profile == SRTP_PROFILE_AEAD_AES_128_GCM ? 12 : 14; }

size_t rtp_header_bytes(const uint8_t *packet, size_t length) {
  if (length < rtp_fixed_bytes || packet[0] >> 6 != 2) return 0;
  size_t bytes = rtp_fixed_bytes + 4 * (size_t)(packet[0] & 0x0f);
  if (packet[0] & 0x10) {
    if (length < bytes + 4) return 0;
    bytes += 4 + 4 * (size_t)read16(packet + bytes + 2);
  }
  return bytes <= length ? bytes : 0;
}

bool is_rtcp(const uint8_t *packet, size_t length) { return length >= 2 && packet[1] >= 192 && packet[1] <= 223; }

// --- Keys -------------------------------------------------------------------------------------------------------------------

// Derives a key (RFC 3711 §4.3.1) with AES-CM. A 96-bit salt is padded with zeros (RFC 7714 §11).
static bool derive(const uint8_t *master_key, const uint8_t *master_salt, size_t salt_bytes, uint8_t label, uint8_t *out, size_t length) {
  static const uint8_t zeros[32];
  uint8_t iv[cm_iv_bytes] = {0};
  memcpy(iv, master_salt, salt_bytes);
  iv[7] ^= label;
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  int written = 0;
  bool ok = context && length <= sizeof zeros && EVP_EncryptInit_ex(context, EVP_aes_128_ctr(), NULL, master_key, iv) == 1 &&
            EVP_EncryptUpdate(context, out, &written, zeros, (int)length) == 1;
  EVP_CIPHER_CTX_free(context);
  return ok;
}

static bool open_cipher(struct srtp *srtp, struct srtp_cipher *cipher, bool is_sender, uint8_t first_label, const uint8_t *master_key,
                        const uint8_t *master_salt) {
  uint8_t key[SRTP_MASTER_KEY_BYTES];
  uint8_t hmac_key[hmac_key_bytes];
  size_t salt_bytes = srtp_salt_bytes(srtp->profile);
  const EVP_CIPHER *kind = is_gcm(srtp) ? EVP_aes_128_gcm() : EVP_aes_128_ctr();
  cipher->context = EVP_CIPHER_CTX_new();
  bool ok = cipher->context != NULL &&
            derive(master_key, master_salt, salt_bytes, first_label + label_encryption, key, sizeof key) &&
            derive(master_key, master_salt, salt_bytes, first_label + label_authentication, hmac_key, sizeof hmac_key) &&
            derive(master_key, master_salt, salt_bytes, first_label + label_salt, cipher->salt, salt_bytes) &&
            // In AES-CM, decryption is the same operation as encryption.
            EVP_CipherInit_ex(cipher->context, kind, NULL, key, NULL, is_sender || !is_gcm(srtp)) == 1;
  if (ok) hmac_sha1_open(&cipher->hmac, hmac_key, sizeof hmac_key);
  OPENSSL_cleanse(key, sizeof key);
  OPENSSL_cleanse(hmac_key, sizeof hmac_key);
  return ok;
}

bool srtp_open(struct srtp *srtp, enum srtp_profile profile, bool is_sender, const uint8_t *master_key, const uint8_t *master_salt) {
  memset(srtp, 0, sizeof *srtp);
  srtp->profile = profile;
  return open_cipher(srtp, &srtp->rtp, is_sender, 0, master_key, master_salt) &&
         open_cipher(srtp, &srtp->rtcp, is_sender, labels_of_rtcp, master_key, master_salt);
}

void srtp_close(struct srtp *srtp) {
  EVP_CIPHER_CTX_free(srtp->rtp.context);
  EVP_CIPHER_CTX_free(srtp->rtcp.context);
  for (size_t i = 0; i < srtp->source_count; i++) free(srtp->sources[i].windows);
  free(srtp->sources);
  OPENSSL_cleanse(srtp, sizeof *srtp);
}

// --- Sources and indices ----------------------------------------------------------------------------------------------------

static struct srtp_source *find_source(struct srtp *srtp, uint32_t ssrc) {
  for (size_t i = 0; i < srtp->source_count; i++)
    if (srtp->sources[i].ssrc == ssrc) return &srtp->sources[i];
  return NULL;
}

static struct srtp_source *add_source(struct srtp *srtp, uint32_t ssrc) {
  if (srtp->source_count == SRTP_MAX_SOURCES) return NULL;
  // The array grows by one source at a time. Most directions have two sources, and a server has thousands of directions.
  struct srtp_source *sources = realloc(srtp->sources, (srtp->source_count + 1) * sizeof *sources);
  if (!sources) return NULL;
  srtp->sources = sources;
  struct srtp_source *source = &sources[srtp->source_count++];
  memset(source, 0, sizeof *source);
  source->ssrc = ssrc;
  return source;
}

// Gives the source unused windows, or takes those of the least recently received source. Returns false when memory is exhausted.
static bool take_windows(struct srtp *srtp, struct srtp_source *source) {
  if (source->windows) return true;
  if (srtp->window_count < SRTP_MAX_WINDOWS) {
    source->windows = calloc(1, sizeof *source->windows);
    if (source->windows) srtp->window_count++;
    return source->windows != NULL;
  }
  struct srtp_source *oldest = NULL;
  for (size_t i = 0; i < srtp->source_count; i++)
    if (srtp->sources[i].windows && (!oldest || srtp->sources[i].used < oldest->used)) oldest = &srtp->sources[i];
  if (!oldest) return false;
  source->windows = oldest->windows;
  oldest->windows = NULL;
  // A source that has received before gets full windows, so that its earlier packets count as received.
  memset(source->windows, source->rtp.is_started || source->rtcp.is_started ? 0xff : 0, sizeof *source->windows);
  return true;
}

// The index that fits a sequence number and is nearest to the highest index (RFC 3711 §3.3.1, appendix A). Returns false for a negative
// index.
static bool index_of(const struct srtp_index *known, uint16_t sequence, uint64_t *index) {
  if (!known->is_started) {
    *index = sequence;
    return true;
  }
  int16_t distance = (int16_t)(uint16_t)(sequence - (uint16_t)known->highest);
  if (distance < 0 && known->highest < (uint64_t)-distance) return false;
  *index = known->highest + (uint64_t)(int64_t)distance;
  return true;
}

static bool is_fresh(const struct srtp_index *known, const struct srtp_seen *seen, uint64_t index) {
  if (!known->is_started || index > known->highest) return true;
  if (!seen || known->highest - index >= SRTP_REPLAY_PACKETS) return false;
  uint64_t bit = index % SRTP_REPLAY_PACKETS;
  return !(seen->bits[bit / 64] >> (bit % 64) & 1);
}

static void note_index(struct srtp_index *known, struct srtp_seen *seen, uint64_t index) {
  if (!known->is_started || (index > known->highest && index - known->highest >= SRTP_REPLAY_PACKETS)) {
    memset(seen->bits, 0, sizeof seen->bits);
    known->highest = index;
    known->is_started = true;
  }
  while (known->highest < index) {
    uint64_t bit = ++known->highest % SRTP_REPLAY_PACKETS;
    seen->bits[bit / 64] &= ~(1ull << (bit % 64));
  }
  uint64_t bit = index % SRTP_REPLAY_PACKETS;
  seen->bits[bit / 64] |= 1ull << (bit % 64);
}

// The source of an authenticated packet. Forged packets add no source. NULL when the maximum number of sources is reached.
static struct srtp_source *receiving_source(struct srtp *srtp, struct srtp_source *known, uint32_t ssrc) {
  struct srtp_source *source = known ? known : add_source(srtp, ssrc);
  if (!source || !take_windows(srtp, source)) return NULL;
  source->used = ++srtp->received;
  return source;
}

// --- Ciphers ----------------------------------------------------------------------------------------------------------------

// RFC 3711 §4.1.1.
static void cm_iv(const struct srtp_cipher *cipher, uint32_t ssrc, uint64_t index, uint8_t *iv) {
  uint8_t changing[cm_iv_bytes] = {0};
  write32(changing + 4, ssrc);
  write32(changing + 8, (uint32_t)(index >> 16));
  changing[12] = (uint8_t)(index >> 8);
  changing[13] = (uint8_t)index;
  memset(iv, 0, cm_iv_bytes);
  memcpy(iv, cipher->salt, 14);
  xor_into(iv, changing, cm_iv_bytes);
}

// IV of an RTP or RTCP packet. The 48-bit index of RTP is roll-over counter and sequence number (RFC 7714 §8.1). The index of RTCP has 31
// bits (§9.1).
static void gcm_iv(const struct srtp_cipher *cipher, uint32_t ssrc, uint64_t index, uint8_t *iv) {
  memset(iv, 0, gcm_iv_bytes);
  write32(iv + 2, ssrc);
  write32(iv + 6, (uint32_t)(index >> 16));
  iv[10] = (uint8_t)(index >> 8);
  iv[11] = (uint8_t)index;
  xor_into(iv, cipher->salt, gcm_iv_bytes);
}

// Tag of HMAC-SHA1-80 (RFC 3711 §4.2.1).
static void cm_tag(const struct srtp_cipher *cipher, struct slice packet, struct slice trailer, uint8_t *tag) {
  uint8_t digest[HMAC_SHA1_BYTES];
  hmac_sha1_tag(&cipher->hmac, packet, trailer, digest);
  memcpy(tag, digest, cm_tag_bytes);
}

static bool cm_crypt(struct srtp_cipher *cipher, const uint8_t *iv, struct slice in, uint8_t *out) {
  int written = 0;
  return EVP_EncryptInit_ex(cipher->context, NULL, NULL, NULL, iv) == 1 &&
         (in.length == 0 || EVP_EncryptUpdate(cipher->context, out, &written, in.bytes, (int)in.length) == 1);
}

// Data that is authenticated but not encrypted. It has two slices, because the SRTCP index follows the packet.
struct associated {
  struct slice head;
  struct slice tail;
};

static bool gcm_associate(struct srtp_cipher *cipher, struct associated data) {
  int written = 0;
  return EVP_CipherUpdate(cipher->context, NULL, &written, data.head.bytes, (int)data.head.length) == 1 &&
         (data.tail.length == 0 || EVP_CipherUpdate(cipher->context, NULL, &written, data.tail.bytes, (int)data.tail.length) == 1);
}

static bool gcm_seal(struct srtp_cipher *cipher, const uint8_t *iv, struct associated data, struct slice in, uint8_t *out) {
  int written = 0;
  return EVP_CipherInit_ex(cipher->context, NULL, NULL, NULL, iv, 1) == 1 && gcm_associate(cipher, data) &&
         (in.length == 0 || EVP_CipherUpdate(cipher->context, out, &written, in.bytes, (int)in.length) == 1) &&
         EVP_CipherFinal_ex(cipher->context, out + in.length, &written) == 1 &&
         EVP_CIPHER_CTX_ctrl(cipher->context, EVP_CTRL_AEAD_GET_TAG, gcm_tag_bytes, out + in.length) == 1;
}

// Decrypts in place; `sealed` ends with the tag.
static bool gcm_unseal(struct srtp_cipher *cipher, const uint8_t *iv, struct associated data, uint8_t *sealed, size_t length) {
  int written = 0;
  size_t plain = length - gcm_tag_bytes;
  return EVP_CipherInit_ex(cipher->context, NULL, NULL, NULL, iv, 0) == 1 && gcm_associate(cipher, data) &&
         (plain == 0 || EVP_CipherUpdate(cipher->context, sealed, &written, sealed, (int)plain) == 1) &&
         EVP_CIPHER_CTX_ctrl(cipher->context, EVP_CTRL_AEAD_SET_TAG, gcm_tag_bytes, sealed + plain) == 1 &&
         EVP_CipherFinal_ex(cipher->context, sealed + plain, &written) == 1;
}

// --- RTP --------------------------------------------------------------------------------------------------------------------

int srtp_protect_rtp(struct srtp *srtp, const uint8_t *in, size_t length, uint8_t *out) {
  size_t header = rtp_header_bytes(in, length);
  if (header == 0) return -1;
  uint32_t ssrc = read32(in + 8);
  struct srtp_source *source = find_source(srtp, ssrc);
  if (!source && !(source = add_source(srtp, ssrc))) return -1;
  uint64_t index;
  if (!index_of(&source->rtp, read16(in + 2), &index) || index >> 48 != 0) return -1;
  if (source->rtp.is_started && index + max_repeated_behind < source->rtp.highest) return -1;
  if (!source->rtp.is_started || index > source->rtp.highest) {
    source->rtp.highest = index;
    source->rtp.is_started = true;
  }
  memcpy(out, in, header);
  struct slice payload = {in + header, length - header};
  if (is_gcm(srtp)) {
    uint8_t iv[gcm_iv_bytes];
    gcm_iv(&srtp->rtp, ssrc, index, iv);
    struct associated data = {{in, header}, {NULL, 0}};
    return gcm_seal(&srtp->rtp, iv, data, payload, out + header) ? (int)(length + gcm_tag_bytes) : -1;
  }
  uint8_t iv[cm_iv_bytes];
  cm_iv(&srtp->rtp, ssrc, index, iv);
  if (!cm_crypt(&srtp->rtp, iv, payload, out + header)) return -1;
  uint8_t roll_over[4];
  write32(roll_over, (uint32_t)(index >> 16));
  cm_tag(&srtp->rtp, (struct slice){out, length}, (struct slice){roll_over, sizeof roll_over}, out + length);
  return (int)(length + cm_tag_bytes);
}

static bool open_rtp(struct srtp *srtp, uint8_t *packet, size_t length, size_t header, uint64_t index) {
  uint32_t ssrc = read32(packet + 8);
  if (is_gcm(srtp)) {
    uint8_t iv[gcm_iv_bytes];
    gcm_iv(&srtp->rtp, ssrc, index, iv);
    struct associated data = {{packet, header}, {NULL, 0}};
    return gcm_unseal(&srtp->rtp, iv, data, packet + header, length - header);
  }
  size_t signed_bytes = length - cm_tag_bytes;
  uint8_t roll_over[4];
  uint8_t tag[cm_tag_bytes];
  write32(roll_over, (uint32_t)(index >> 16));
  cm_tag(&srtp->rtp, (struct slice){packet, signed_bytes}, (struct slice){roll_over, sizeof roll_over}, tag);
  if (CRYPTO_memcmp(tag, packet + signed_bytes, sizeof tag) != 0) return false;
  uint8_t iv[cm_iv_bytes];
  cm_iv(&srtp->rtp, ssrc, index, iv);
  return cm_crypt(&srtp->rtp, iv, (struct slice){packet + header, signed_bytes - header}, packet + header);
}

int srtp_unprotect_rtp(struct srtp *srtp, uint8_t *packet, size_t length) {
  size_t tag = is_gcm(srtp) ? gcm_tag_bytes : cm_tag_bytes;
  size_t header = rtp_header_bytes(packet, length);
  if (header == 0 || length < header + tag) return -1;
  uint32_t ssrc = read32(packet + 8);
  struct srtp_source *source = find_source(srtp, ssrc);
  static const struct srtp_index unknown;
  const struct srtp_index *known = source ? &source->rtp : &unknown;
  const struct srtp_seen *seen = source && source->windows ? &source->windows->rtp : NULL;
  uint64_t index;
  if (!index_of(known, read16(packet + 2), &index) || !is_fresh(known, seen, index) || index >> 48 != 0) return -1;
  if (!open_rtp(srtp, packet, length, header, index)) return -1;
  source = receiving_source(srtp, source, ssrc);
  if (!source) return -1;
  note_index(&source->rtp, &source->windows->rtp, index);
  return (int)(length - tag);
}

// --- RTCP -------------------------------------------------------------------------------------------------------------------

int srtp_protect_rtcp(struct srtp *srtp, const uint8_t *in, size_t length, uint8_t *out) {
  if (length < rtcp_fixed_bytes || in[0] >> 6 != 2 || srtp->rtcp_index == max_rtcp_index) return -1;
  uint32_t ssrc = read32(in + 4);
  uint32_t index = ++srtp->rtcp_index;
  uint8_t word[rtcp_index_bytes];
  write32(word, index | rtcp_encrypted_flag);
  memcpy(out, in, rtcp_fixed_bytes);
  struct slice rest = {in + rtcp_fixed_bytes, length - rtcp_fixed_bytes};
  if (is_gcm(srtp)) {
    uint8_t iv[gcm_iv_bytes];
    gcm_iv(&srtp->rtcp, ssrc, index, iv);
    struct associated data = {{in, rtcp_fixed_bytes}, {word, sizeof word}};
    if (!gcm_seal(&srtp->rtcp, iv, data, rest, out + rtcp_fixed_bytes)) return -1;
    memcpy(out + length + gcm_tag_bytes, word, sizeof word);
    return (int)(length + gcm_tag_bytes + sizeof word);
  }
  uint8_t iv[cm_iv_bytes];
  cm_iv(&srtp->rtcp, ssrc, index, iv);
  if (!cm_crypt(&srtp->rtcp, iv, rest, out + rtcp_fixed_bytes)) return -1;
  memcpy(out + length, word, sizeof word);
  cm_tag(&srtp->rtcp, (struct slice){out, length}, (struct slice){word, sizeof word}, out + length + sizeof word);
  return (int)(length + sizeof word + cm_tag_bytes);
}

// `length` includes neither tag nor index.
static bool open_rtcp(struct srtp *srtp, uint8_t *packet, size_t length, const uint8_t *word) {
  uint32_t ssrc = read32(packet + 4);
  uint32_t index = read32(word) & max_rtcp_index;
  bool is_encrypted = (read32(word) & rtcp_encrypted_flag) != 0;
  if (is_gcm(srtp)) {
    uint8_t iv[gcm_iv_bytes];
    gcm_iv(&srtp->rtcp, ssrc, index, iv);
    // An unencrypted packet is authenticated as a whole (RFC 7714 §9.3).
    size_t head = is_encrypted ? rtcp_fixed_bytes : length;
    struct associated data = {{packet, head}, {word, rtcp_index_bytes}};
    return gcm_unseal(&srtp->rtcp, iv, data, packet + head, length - head + gcm_tag_bytes);
  }
  uint8_t tag[cm_tag_bytes];
  cm_tag(&srtp->rtcp, (struct slice){packet, length}, (struct slice){word, rtcp_index_bytes}, tag);
  if (CRYPTO_memcmp(tag, packet + length + rtcp_index_bytes, sizeof tag) != 0) return false;
  if (!is_encrypted) return true;
  uint8_t iv[cm_iv_bytes];
  cm_iv(&srtp->rtcp, ssrc, index, iv);
  return cm_crypt(&srtp->rtcp, iv, (struct slice){packet + rtcp_fixed_bytes, length - rtcp_fixed_bytes}, packet + rtcp_fixed_bytes);
}

int srtp_unprotect_rtcp(struct srtp *srtp, uint8_t *packet, size_t length) {
  size_t growth = rtcp_index_bytes + (is_gcm(srtp) ? (size_t)gcm_tag_bytes : (size_t)cm_tag_bytes);
  if (length < rtcp_fixed_bytes + growth || packet[0] >> 6 != 2) return -1;
  size_t plain = length - growth;
  // With AES-GCM the index follows the tag; with AES-CM the index precedes the tag (RFC 7714 §9.2, RFC 3711 §3.4).
  uint8_t word[rtcp_index_bytes];
  memcpy(word, is_gcm(srtp) ? packet + length - rtcp_index_bytes : packet + plain, sizeof word);
  uint32_t ssrc = read32(packet + 4);
  struct srtp_source *source = find_source(srtp, ssrc);
  uint64_t index = read32(word) & max_rtcp_index;
  if (source && !is_fresh(&source->rtcp, source->windows ? &source->windows->rtcp : NULL, index)) return -1;
  if (!open_rtcp(srtp, packet, plain, word)) return -1;
  source = receiving_source(srtp, source, ssrc);
  if (!source) return -1;
  note_index(&source->rtcp, &source->windows->rtcp, index);
  return (int)plain;
}
