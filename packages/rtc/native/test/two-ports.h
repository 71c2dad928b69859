// A port with one session, and another one as its peer, which exchange datagrams without sockets: what one sends is a queue of the test, which
// may change, drop and repeat it. Build with `-Wl,--wrap=sendmsg,--wrap=sendmmsg`.
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
  // What `sendmmsg` and `sendmsg` fail with; 0 for nothing.
  int send_error;
};

extern struct pair pair;

static const char test_name[] = "name";
static const char test_password[] = "a password of a session";

void pair_open(void);
void pair_close(void);
// New sessions of the same ports.
void pair_renew(void);
// Both have passed a check.
void pair_reach(void);
// Gives the first datagram that waits to the other side; false when none does.
bool pair_deliver(void);
// As if it came from the other side's address.
void pair_inject(struct side *to, const uint8_t *bytes, size_t length);
// Until both are connected, or nothing more happens.
bool pair_connect(void);

#endif
