#define _GNU_SOURCE // in6_pktinfo, mmsghdr
// A port without sockets or a real clock: packets that the kernel refuses, and claims to addresses. `native.long.test.ts` builds and runs
// this program with sanitizers. A failure is printed; the exit code of a success is 0.
#include "two-ports.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void expect(bool is_true, const char *what) {
  if (is_true) return;
  failures++;
  fprintf(stderr, "failed: %s\n", what);
}

static void send_packet(struct side *side, uint16_t sequence) {
  uint8_t packet[100] = {0x80, 96, (uint8_t)(sequence >> 8), (uint8_t)sequence, [11] = 7};
  expect(port_send(side->port, side->session, packet, sizeof packet), "a packet is taken");
}

static void test_full_device(void) {
  pair_open();
  pair_reach();
  expect(pair_connect(), "the pair connects");
  struct side *side = &pair.sides[0];
  pair.send_error = ENOBUFS;
  send_packet(side, 1);
  port_flush(side->port);
  uint64_t calls = port_counters(side->port)->send_calls;
  expect(!(fake_uv_watched & UV_WRITABLE), "a full device is not waited for at the socket, which is writable");
  for (uint16_t sequence = 2; sequence < 20; sequence++) send_packet(side, sequence);
  port_flush(side->port);
  fake_uv_poll(UV_WRITABLE);
  expect(port_counters(side->port)->send_calls == calls, "nothing is tried before the pause is over");
  fake_uv_advance(50);
  expect(port_counters(side->port)->send_calls == calls + 1, "it is tried once after the pause");
  pair.send_error = 0;
  fake_uv_advance(50);
  while (pair_deliver()) {
  }
  expect(pair.sides[1].media == 19, "everything that waited arrives");
  expect(port_counters(side->port)->dropped == 0, "nothing is dropped");
  pair_close();
}

static void test_full_socket(void) {
  pair_open();
  pair_reach();
  expect(pair_connect(), "the pair connects");
  struct side *side = &pair.sides[1];
  pair.send_error = EAGAIN;
  send_packet(side, 1);
  port_flush(side->port);
  expect((fake_uv_watched & UV_WRITABLE) != 0, "a full socket is waited for");
  pair.send_error = 0;
  fake_uv_poll(UV_WRITABLE);
  expect((fake_uv_watched & UV_WRITABLE) == 0, "and no longer once it has room");
  while (pair_deliver()) {
  }
  expect(pair.sides[0].media == 1, "what waited arrives");
  pair_close();
}

static void test_claims(void) {
  pair_open();
  struct side *side = &pair.sides[0];
  struct dtls_peer_certificate peer = {.hash = EVP_sha256(), .digest_bytes = DTLS_FINGERPRINT_BYTES};
  struct port_credentials credentials = {"second", 6, (const uint8_t *)"password", 8};
  uint32_t second = port_open_session(side->port, true, &peer, &credentials);
  const struct path *at = &side->path_to_other;
  expect(port_reach(side->port, second, at, true) == PORT_REACHED, "a free address is had by a check");
  expect(port_reach(side->port, side->session, at, true) == PORT_CONTESTED, "another session has to prove that it is there");
  port_move(side->port, side->session, at);
  expect(port_reach(side->port, side->session, at, true) == PORT_REACHED, "and has the address then");
  expect(port_reach(side->port, second, at, true) == PORT_NOT_REACHED, "which the first one has lost");
  port_move(side->port, second, at);
  expect(port_reach(side->port, second, at, true) == PORT_NOT_REACHED, "and gets back by nothing while the other one is alive");
  port_close_session(side->port, side->session);
  expect(port_reach(side->port, second, at, true) == PORT_REACHED, "only when that is closed");
  pair_close();
}

// A handshake succeeds even after a time with many lost datagrams.
static void test_lost_flights(void) {
  pair_open();
  pair_reach();
  for (int turn = 0; turn < 60; turn++) {
    if (turn % 3 != 0 && pair.sent_count > 0) pair.sent_count--;
    pair_deliver();
    fake_uv_advance(25);
  }
  expect(pair_connect(), "a handshake gets through a bad network");
  pair_close();
}

int main(void) {
  test_full_device();
  test_full_socket();
  test_claims();
  test_lost_flights();
  if (failures > 0) fprintf(stderr, "%d failures\n", failures);
  return failures > 0;
}
