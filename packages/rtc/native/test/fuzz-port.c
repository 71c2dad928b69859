// libFuzzer target: invalid datagrams between the valid datagrams of a peer, in every state of a session, from the peer's and other
// addresses. Run it with `node scripts/rtc/fuzz-addon.ts`.
#define _GNU_SOURCE // in6_pktinfo, mmsghdr
#include "two-ports.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { max_steps = 48, max_connect_turns = 8 };

// Initial state, chosen by the first byte of an input.
enum start { start_unreached, start_reached, start_handshake, start_connected, starts };

enum step {
  step_inject,
  step_inject_from_elsewhere,
  step_inject_to_client,
  step_check,
  step_deliver,
  step_deliver_changed,
  step_repeat,
  step_drop,
  step_wait,
  step_send,
  step_close,
  step_claim,
  step_fragment,
  steps,
};

struct input {
  const uint8_t *bytes;
  size_t length;
};

// A datagram of the peer was changed in transit, or a session was closed, so the handshake may fail.
static bool is_peer_damaged;

static uint8_t take_byte(struct input *input) {
  if (input->length == 0) return 0;
  input->length--;
  return *input->bytes++;
}

static struct input take_bytes(struct input *input) {
  size_t wanted = (size_t)(take_byte(input) << 8 | take_byte(input)) % (DTLS_MAX_DATAGRAM_BYTES + 1);
  struct input taken = {input->bytes, wanted < input->length ? wanted : input->length};
  input->bytes += taken.length;
  input->length -= taken.length;
  return taken;
}

static void check(bool is_true, const char *what) {
  if (is_true) return;
  fprintf(stderr, "broken: %s\n", what);
  abort();
}

// Without the keys, an attacker can neither deliver media nor end the session.
static void inject(struct side *to, struct input datagram) {
  unsigned media = to->media, closed = to->closed, connected = to->connected;
  pair_inject(to, datagram.bytes, datagram.length);
  check(to->media == media, "forged media was taken");
  check(to->connected == connected || is_peer_damaged, "a stranger connected the session");
  bool is_server = to == &pair.sides[0];
  check(to->closed == closed || is_peer_damaged || (!is_server && !to->connected), "a stranger ended the session");
}

static void inject_from_elsewhere(struct side *to, struct input datagram) {
  struct path known = to->path_to_other;
  to->path_to_other.remote.port = 5001;
  inject(to, datagram);
  to->path_to_other = known;
}

// A request for the session with the input as content, signed if the input requests a signature.
static void inject_check(struct input *input) {
  uint8_t message[512] = {0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42, [20] = 0, 6, 0, sizeof test_name - 1};
  size_t length = 24;
  memcpy(message + length, test_name, sizeof test_name - 1);
  message[length + sizeof test_name - 1] = ':';
  message[23] = sizeof test_name;
  length += 8;
  bool is_signed = take_byte(input) & 1;
  struct input rest = take_bytes(input);
  size_t attributes = rest.length < 256 ? rest.length / 4 * 4 : 256;
  memcpy(message + length, rest.bytes, attributes);
  length += attributes;
  size_t body = length + 24 - 20;
  message[2] = (uint8_t)(body >> 8);
  message[3] = (uint8_t)body;
  memcpy(message + length, (uint8_t[]){0, 8, 0, HMAC_SHA1_BYTES}, 4);
  struct hmac_sha1 key;
  hmac_sha1_open(&key, (const uint8_t *)test_password, sizeof test_password - 1);
  if (is_signed) hmac_sha1_tag(&key, (struct slice){message, 20}, (struct slice){message + 20, length - 20}, message + length + 4);
  inject(&pair.sides[0], (struct input){message, length + 24});
}

static void change_first(struct input *input) {
  if (pair.sent_count == 0 || pair.sent[0].length == 0) return;
  struct sent_datagram *first = &pair.sent[0];
  is_peer_damaged = true;
  if (take_byte(input) & 1) first->length = (size_t)(take_byte(input) << 8 | take_byte(input)) % first->length;
  for (uint8_t changes = take_byte(input) % 4; changes > 0 && first->length > 0; changes--) {
    size_t at = (size_t)(take_byte(input) << 8 | take_byte(input)) % first->length;
    first->bytes[at] = take_byte(input);
  }
}

static void repeat_first(void) {
  if (pair.sent_count == 0 || pair.sent_count == max_sent) return;
  pair.sent[pair.sent_count] = pair.sent[0];
  pair.sent_count++;
}

// Keeps only bytes `from` to `to` of the message body, and adjusts the headers.
static void cut_fragment(struct sent_datagram *datagram, size_t from, size_t to) {
  enum { record_header = 13, message_header = 12, body_at = record_header + message_header };
  size_t length = to - from;
  memmove(datagram->bytes + body_at, datagram->bytes + body_at + from, length);
  datagram->length = body_at + length;
  for (size_t i = 0; i < 3; i++) {
    datagram->bytes[record_header + 6 + i] = (uint8_t)(from >> (16 - 8 * i));
    datagram->bytes[record_header + 9 + i] = (uint8_t)(length >> (16 - 8 * i));
  }
  datagram->bytes[11] = (uint8_t)((message_header + length) >> 8);
  datagram->bytes[12] = (uint8_t)(message_header + length);
}

// Simulates a peer with a small MTU: the first record gets its own datagram. If it is alone, its message
// is sent in two fragments.
static void fragment_first(struct input *input) {
  enum { body_at = 25 };
  struct sent_datagram *first = &pair.sent[0];
  size_t cut = take_byte(input);
  bool is_handshake = pair.sent_count > 0 && first->length > body_at + 1 && first->bytes[0] == 22 && first->bytes[4] == 0;
  if (!is_handshake || pair.sent_count == max_sent) return;
  size_t record = 13 + (size_t)(first->bytes[11] << 8 | first->bytes[12]);
  size_t body = (size_t)(first->bytes[14] << 16 | first->bytes[15] << 8 | first->bytes[16]);
  bool is_alone = record == first->length;
  if (record > first->length || (is_alone && (body < 2 || body_at + body != record))) return;
  memmove(&pair.sent[1], &pair.sent[0], pair.sent_count * sizeof pair.sent[0]);
  pair.sent_count++;
  if (is_alone) {
    cut = 1 + cut % (body - 1);
    cut_fragment(&pair.sent[0], 0, cut);
    cut_fragment(&pair.sent[1], cut, body);
  } else {
    pair.sent[0].length = record;
    pair.sent[1].length -= record;
    memmove(pair.sent[1].bytes, pair.sent[1].bytes + record, pair.sent[1].length);
  }
}

static void send_media(struct input *input) {
  struct side *side = &pair.sides[take_byte(input) & 1];
  uint8_t packet[PORT_MAX_PACKET_BYTES + 1] = {0x80, 96};
  struct input rest = take_bytes(input);
  size_t length = rest.length < sizeof packet ? rest.length : sizeof packet;
  memcpy(packet, rest.bytes, length);
  port_send(side->port, side->session, packet, length);
  port_flush(side->port);
}

static void claim(struct input *input) {
  struct side *side = &pair.sides[take_byte(input) & 1];
  struct path at = side->path_to_other;
  at.remote.port = (uint16_t)(5000 + take_byte(input) % 16);
  if (take_byte(input) & 1) port_move(side->port, side->session, &at);
  else port_reach(side->port, side->session, &at, take_byte(input) & 1);
}

static void close_session(struct input *input) {
  struct side *side = &pair.sides[take_byte(input) & 1];
  port_close_session(side->port, side->session);
  is_peer_damaged = true;
}

static void take_step(struct input *input) {
  switch ((enum step)(take_byte(input) % steps)) {
    case step_inject: inject(&pair.sides[0], take_bytes(input)); break;
    case step_inject_from_elsewhere: inject_from_elsewhere(&pair.sides[0], take_bytes(input)); break;
    case step_inject_to_client: inject(&pair.sides[1], take_bytes(input)); break;
    case step_check: inject_check(input); break;
    case step_deliver: pair_deliver(); break;
    case step_deliver_changed: change_first(input), pair_deliver(); break;
    case step_repeat: repeat_first(); break;
    case step_drop: pair.sent_count -= pair.sent_count > 0 ? 1 : 0; break;
    case step_wait: fake_uv_advance((uint64_t)take_byte(input) * 20); break;
    case step_send: send_media(input); break;
    case step_close: close_session(input); break;
    case step_claim: claim(input); break;
    case step_fragment: fragment_first(input); break;
    case steps: break;
  }
}

static void begin(enum start start) {
  if (start == start_unreached) return;
  pair_reach();
  for (int turn = 0; start == start_connected && turn < max_connect_turns; turn++) pair_deliver();
  if (start == start_handshake) pair_deliver();
  check(start != start_connected || pair.sides[0].connected, "two ports do not connect");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
  static bool is_open;
  if (!is_open) pair_open();
  else pair_renew();
  is_open = true;
  is_peer_damaged = false;
  struct input input = {bytes, length};
  begin((enum start)(take_byte(&input) % starts));
  for (int step = 0; step < max_steps && input.length > 0; step++) take_step(&input);
  return 0;
}
