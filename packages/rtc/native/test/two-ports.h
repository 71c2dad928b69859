// Two ports whose sessions are peers. They exchange datagrams through a queue instead of sockets. The test may change, drop and repeat the
// queued datagrams. Build with `-Wl,--wrap=sendmsg,--wrap=sendmmsg`.
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
  // The first side is the DTLS server.
  struct side sides[2];
  struct sent_datagram sent[max_sent];
  size_t sent_count;
  int send_error;
};

extern struct pair pair;

static const char test_name[] = "name";
static const char test_password[] = "a password of a session";

void pair_open(void);
void pair_close(void);
void pair_renew(void);
void pair_reach(void);
// Delivers the first queued datagram to its receiver; false when the queue is empty.
bool pair_deliver(void);
// Delivers bytes to a side. Their source address is the address of the peer.
void pair_inject(struct side *to, const uint8_t *bytes, size_t length);
bool pair_connect(void);

#endif
