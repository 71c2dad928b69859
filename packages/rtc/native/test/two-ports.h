// Two ports with a session each that are peers and exchange datagrams without sockets: sent datagrams are in a queue of the test, which
// may change, drop and repeat them. Build with `-Wl,--wrap=sendmsg,--wrap=sendmmsg`.
#ifndef TWO_PORTS_H
#define TWO_PORTS_H
#include "../port-internal.h"
#include "fake-uv.h"

struct side {
  struct port *port;
  uint32_t session;
  struct path path_to_other;
  unsigned connected, closed, media, checks;
};

struct sent_datagram {
  struct side *from;
  size_t length;
  uint8_t bytes[DTLS_MAX_DATAGRAM_BYTES];
};

enum { max_sent = 64 };

struct pair {
  // The first one is the DTLS server.
  struct side sides[2];
  struct sent_datagram sent[max_sent];
  size_t sent_count;
  // The error of `sendmmsg` and `sendmsg`; 0 for none.
  int send_error;
};

extern struct pair pair;

static const char test_name[] = "name";
static const char test_password[] = "a password of a session";

void pair_open(void);
void pair_close(void);
// New sessions on the same ports.
void pair_renew(void);
// Makes both sides pass a check.
void pair_reach(void);
// Delivers the first queued datagram to the other side; false when the queue is empty.
bool pair_deliver(void);
// Delivers bytes to a side as if they came from the other side's address.
void pair_inject(struct side *to, const uint8_t *bytes, size_t length);
// Runs until both are connected, or no more datagrams are sent.
bool pair_connect(void);

#endif
