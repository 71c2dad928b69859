// Addresses of peers, and which session is reached there.
#ifndef ENDPOINT_H
#define ENDPOINT_H
#include <netinet/in.h> // with _GNU_SOURCE: in6_pktinfo
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

// An IPv4 address is the IPv6 address that maps it (RFC 4291 §2.5.5.2), so that both kinds of socket know a peer by one name.
struct endpoint {
  struct in6_addr ip;
  // Of link-local addresses; 0 else.
  uint32_t scope;
  // Host byte order.
  uint16_t port;
};

// From here to a peer. A machine has several addresses, and a peer takes an answer from the one alone that it has asked.
struct path {
  struct endpoint remote;
  // All zero: whichever the kernel chooses.
  struct in6_addr local;
};

union socket_address {
  struct sockaddr base;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
};

// False when the text is no IP address.
bool endpoint_parse(const char *ip, uint16_t port, struct endpoint *endpoint);
bool endpoint_of(const union socket_address *address, struct endpoint *endpoint);
bool endpoint_equal(const struct endpoint *one, const struct endpoint *other);
// For a socket of that family; 0 when the address cannot be reached by it.
socklen_t endpoint_address(const struct endpoint *endpoint, sa_family_t family, union socket_address *address);
// Room for the address that a datagram came to or is sent from.
enum { LOCAL_CONTROL_BYTES = CMSG_SPACE(sizeof(struct in6_pktinfo)) };
// Has a socket tell the addresses that datagrams come to.
void local_address_wanted(int socket, sa_family_t family);
// That address, all zero when it was not told.
struct in6_addr local_address_of(struct msghdr *message);
// Writes it into the control data of a message that is to be sent, which has room behind `*used` bytes, and adds what it takes.
void local_address_control(const struct path *path, sa_family_t family, uint8_t *control, size_t *used);

// Dotted for IPv4; `text` has room for INET6_ADDRSTRLEN.
void endpoint_text(const struct endpoint *endpoint, char *text);

struct endpoint_entry {
  struct endpoint endpoint;
  void *owner;
};

// Grows with its entries; a free place has no owner.
struct endpoint_map {
  struct endpoint_entry *entries;
  size_t capacity;
  size_t count;
};

void *endpoint_map_get(const struct endpoint_map *map, const struct endpoint *endpoint);
// False when memory fails.
bool endpoint_map_set(struct endpoint_map *map, const struct endpoint *endpoint, void *owner);
void endpoint_map_remove(struct endpoint_map *map, const struct endpoint *endpoint);
void endpoint_map_close(struct endpoint_map *map);

#endif
