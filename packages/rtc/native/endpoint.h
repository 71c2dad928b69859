// Addresses of peers, and the session that each belongs to.
#ifndef ENDPOINT_H
#define ENDPOINT_H
#include <netinet/in.h> // with _GNU_SOURCE: in6_pktinfo
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

// An IPv4 address is stored as its IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2), so that both kinds of socket use one form.
struct endpoint {
  struct in6_addr ip;
  // For link-local addresses; otherwise 0.
  uint32_t scope;
  // Host byte order.
  uint16_t port;
};

// A network path: a local address of this server and a peer. A server may have several addresses; a peer accepts only responses from the
// one it sent to.
struct path {
  struct endpoint remote;
  // All zero: the kernel chooses.
  struct in6_addr local;
};

union socket_address {
  struct sockaddr base;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
};

// False when the text is not an IP address.
bool endpoint_parse(const char *ip, uint16_t port, struct endpoint *endpoint);
bool endpoint_of(const union socket_address *address, struct endpoint *endpoint);
bool endpoint_equal(const struct endpoint *one, const struct endpoint *other);
// Writes the address for a socket of this family and returns its length; 0 when the socket cannot reach it.
socklen_t endpoint_address(const struct endpoint *endpoint, sa_family_t family, union socket_address *address);
// Size of the control data for a datagram's local address.
enum { LOCAL_CONTROL_BYTES = CMSG_SPACE(sizeof(struct in6_pktinfo)) };
// Makes a socket report the destination address of received datagrams.
void local_address_wanted(int socket, sa_family_t family);
// The destination address of a received datagram; all zero when the kernel did not report it.
struct in6_addr local_address_of(struct msghdr *message);
// Appends the local address of the path to the control data of an outgoing message after `*used` bytes, and adds its size to `*used`.
void local_address_control(const struct path *path, sa_family_t family, uint8_t *control, size_t *used);

// Dotted form for IPv4; `text` needs INET6_ADDRSTRLEN bytes.
void endpoint_text(const struct endpoint *endpoint, char *text);

struct endpoint_entry {
  struct endpoint endpoint;
  void *owner;
};

// Map from endpoints to their owners. Grows with the number of entries; an empty slot has no owner.
struct endpoint_map {
  struct endpoint_entry *entries;
  size_t capacity;
  size_t count;
};

void *endpoint_map_get(const struct endpoint_map *map, const struct endpoint *endpoint);
// False when memory allocation fails.
bool endpoint_map_set(struct endpoint_map *map, const struct endpoint *endpoint, void *owner);
void endpoint_map_remove(struct endpoint_map *map, const struct endpoint *endpoint);
void endpoint_map_close(struct endpoint_map *map);

#endif
