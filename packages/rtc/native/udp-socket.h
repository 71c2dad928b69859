// UDP sockets: binding, and sending several datagrams to one peer in few system calls.
#ifndef UDP_SOCKET_H
#define UDP_SOCKET_H
#include "endpoint.h"

// Opens a bound, non-blocking socket of the family of `ip`; without `ip` for both families, or IPv4 if the system has no IPv6. Returns -1
// with `errno`.
int udp_socket_open(const char *ip, uint16_t number, sa_family_t *family);

struct udp_target {
  union socket_address address;
  socklen_t bytes;
};

struct datagram {
  const uint8_t *bytes;
  size_t length;
};

// Number of datagrams that the kernel accepted, from the first one: fewer than all when its queue is full. Unsendable ones count as accepted.
size_t udp_socket_send(int number, const struct udp_target *to, const struct datagram *datagrams, size_t count);

#endif
