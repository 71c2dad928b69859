// UDP sockets: binds, and sends several datagrams to one peer in few system calls.
#ifndef UDP_SOCKET_H
#define UDP_SOCKET_H
#include "endpoint.h"

// Opens a bound, non-blocking socket of the family of `ip`. Without `ip`, the socket has both families, or IPv4 if the system has no IPv6.
// Returns -1 with `errno`.
int udp_socket_open(const char *ip, uint16_t number, sa_family_t *family);

struct udp_target {
  union socket_address address;
  socklen_t bytes;
};

struct datagram {
  const uint8_t *bytes;
  size_t length;
};

// Returns the number of datagrams that the kernel accepted, counted from the first. Unsendable datagrams count as accepted. If datagrams
// remain, the kernel's queue is full, and the caller must pass the remaining datagrams again later.
size_t udp_socket_send(int number, const struct udp_target *to, const struct datagram *datagrams, size_t count);

#endif
