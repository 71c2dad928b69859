// UDP sockets: how they are opened, and several datagrams to one peer with few system calls.
#ifndef UDP_SOCKET_H
#define UDP_SOCKET_H
#include "endpoint.h"

// Bound and non-blocking. An address of its own family; without one both families, or IPv4 where the machine has no IPv6. -1 with `errno`.
int udp_socket_open(const char *ip, uint16_t number, sa_family_t *family);

struct udp_target {
  union socket_address address;
  socklen_t bytes;
};

struct datagram {
  const uint8_t *bytes;
  size_t length;
};

// How many of them the kernel has taken, from the first on: fewer than all when it has no room. Those that cannot be sent count as taken.
size_t udp_socket_send(int number, const struct udp_target *to, const struct datagram *datagrams, size_t count);

#endif
