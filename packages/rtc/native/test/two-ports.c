#define _GNU_SOURCE // mmsghdr
#include "two-ports.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair pair;

static struct side *other_of(struct side *side) { return side == &pair.sides[0] ? &pair.sides[1] : &pair.sides[0]; }

// --- The kernel -------------------------------------------------------------------------------------------------------------

static struct side *side_of_socket(int socket) { return pair.sides[1].port && pair.sides[1].port->socket == socket ? &pair.sides[1] : &pair.sides[0]; }

static void keep(int socket, const struct msghdr *message) {
  for (size_t i = 0; i < message->msg_iovlen && pair.sent_count < max_sent; i++) {
    struct sent_datagram *sent = &pair.sent[pair.sent_count];
    if (message->msg_iov[i].iov_len > sizeof sent->bytes) continue;
    sent->from = side_of_socket(socket);
    sent->length = message->msg_iov[i].iov_len;
    memcpy(sent->bytes, message->msg_iov[i].iov_base, sent->length);
    pair.sent_count++;
  }
}

ssize_t __wrap_sendmsg(int socket, const struct msghdr *message, int flags);
ssize_t __wrap_sendmsg(int socket, const struct msghdr *message, int flags) {
  (void)flags;
  errno = pair.send_error;
  if (pair.send_error) return -1;
  keep(socket, message);
  return 1;
}

int __wrap_sendmmsg(int socket, struct mmsghdr *messages, unsigned count, int flags);
int __wrap_sendmmsg(int socket, struct mmsghdr *messages, unsigned count, int flags) {
  (void)flags;
  errno = pair.send_error;
  if (pair.send_error) return -1;
  for (unsigned i = 0; i < count; i++) keep(socket, &messages[i].msg_hdr);
  return (int)count;
}

// --- Events -----------------------------------------------------------------------------------------------------------------

static void on_stun(void *owner, const uint8_t *datagram, size_t length, const struct path *from) {
  (void)datagram, (void)length, (void)from;
  ((struct side *)owner)->checks++;
}

static void on_event(void *owner, uint32_t session, enum port_event event) {
  struct side *side = owner;
  (void)session;
  if (event == PORT_CONNECTED) side->connected++;
  else side->closed++;
}

static void on_media(void *owner, uint32_t session, const uint8_t *packet, size_t length) {
  (void)session, (void)packet, (void)length;
  ((struct side *)owner)->media++;
}

static void on_end(void *owner) { (void)owner; }

// --- Driving ----------------------------------------------------------------------------------------------------------------

static void open_side(struct side *side, const char *ip) {
  struct port_events events = {side, on_stun, on_event, on_media, on_end};
  int error;
  side->port = port_open(fake_uv_loop(), "127.0.0.1", 0, &events, &error);
  if (!side->port) abort();
  endpoint_parse(ip, 5000, &other_of(side)->path_to_other.remote);
}

static void open_session(struct side *side, bool is_server) {
  struct dtls_peer_certificate peer = {.hash = EVP_sha256(), .digest_bytes = DTLS_FINGERPRINT_BYTES};
  memcpy(peer.digests, port_fingerprint(other_of(side)->port), DTLS_FINGERPRINT_BYTES);
  struct port_credentials credentials = {test_name, sizeof test_name - 1, (const uint8_t *)test_password, sizeof test_password - 1};
  side->session = port_open_session(side->port, is_server, &peer, &credentials);
  if (side->session == 0) abort();
}

void pair_open(void) {
  memset(&pair, 0, sizeof pair);
  open_side(&pair.sides[0], "192.0.2.1");
  open_side(&pair.sides[1], "192.0.2.2");
  open_session(&pair.sides[0], true);
  open_session(&pair.sides[1], false);
}

void pair_renew(void) {
  for (size_t i = 0; i < 2; i++) {
    struct side *side = &pair.sides[i];
    port_close_session(side->port, side->session);
    side->connected = side->closed = side->media = side->checks = 0;
  }
  pair.sent_count = 0;
  open_session(&pair.sides[0], true);
  open_session(&pair.sides[1], false);
}

void pair_close(void) {
  for (size_t i = 0; i < 2; i++) port_close(pair.sides[i].port);
}

void pair_reach(void) {
  for (size_t i = 0; i < 2; i++) {
    port_reach(pair.sides[i].port, pair.sides[i].session, &pair.sides[i].path_to_other, true);
    port_start(pair.sides[i].port, pair.sides[i].session);
  }
}

void pair_inject(struct side *to, const uint8_t *bytes, size_t length) {
  // Copies exactly `length` bytes, so that the sanitizer detects reads past their end.
  uint8_t *exact = malloc(length > 0 ? length : 1);
  if (!exact) abort();
  memcpy(exact, bytes, length);
  receive_datagram(to->port, exact, length, &to->path_to_other);
  free(exact);
}

bool pair_deliver(void) {
  if (pair.sent_count == 0) return false;
  static struct sent_datagram first;
  first = pair.sent[0];
  pair.sent_count--;
  memmove(&pair.sent[0], &pair.sent[1], pair.sent_count * sizeof pair.sent[0]);
  pair_inject(other_of(first.from), first.bytes, first.length);
  return true;
}

bool pair_connect(void) {
  enum { turns = 400, turn_ms = 25 };
  for (int turn = 0; turn < turns && (!pair.sides[0].connected || !pair.sides[1].connected); turn++) {
    while (pair_deliver()) {
    }
    fake_uv_advance(turn_ms);
  }
  return pair.sides[0].connected && pair.sides[1].connected;
}
