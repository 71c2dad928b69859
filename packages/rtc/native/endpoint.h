// Addresses of peers, and the session of each address.
#ifndef ENDPOINT_H
#define ENDPOINT_H
#include <netinet/in.h> // with _GNU_SOURCE: in6_pktinfo
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

// An IPv4 address is stored as an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2), so IPv4 and IPv6 sockets use one form.
struct endpoint {
  struct in6_addr ip;
  // Interface index of a link-local address; 0 for all other addresses.
  uint32_t scope;
  // Port in host byte order.
  uint16_t port;
};

// A network path: a peer and a local address of this server. If the server has several addresses, a peer accepts responses only from the
// address to which it sent.
struct path {
  struct endpoint remote;
  // All zero: the kernel chooses the local address.
  struct in6_addr local;
};

union socket_address {
  struct sockaddr base;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
};

// Returns false for a text that is not an IP address.
bool endpoint_parse(const char *ip, uint16_t port, struct endpoint *endpoint);
bool endpoint_of(const union socket_address *address, struct endpoint *endpoint);
bool endpoint_equal(const struct endpoint *one, const struct endpoint *other);
// Writes the address for a socket of this family and returns its length. Returns 0 when such a socket cannot reach the address.
socklen_t endpoint_address(const struct endpoint *endpoint, sa_family_t family, union socket_address *address);
// Bytes of control data for the local address of a datagram.
enum { LOCAL_CONTROL_BYTES = CMSG_SPACE(sizeof(struct in6_pktinfo)) };
// Makes a socket report the destination address of received datagrams.
void local_address_wanted(int socket, sa_family_t family);
// The destination address of a received datagram. All zero if the kernel did not report the address.
struct in6_addr local_address_of(struct msghdr *message);
// Appends the local address of the path to the control data of a message. The address is written after `*used` bytes, and `*used` grows by
// its size.
void local_address_control(const struct path *path, sa_family_t family, uint8_t *control, size_t *used);

// Writes an address as text; `text` needs INET6_ADDRSTRLEN bytes. IPv4 addresses have the dotted form.
void endpoint_text(const struct endpoint *endpoint, char *text);

struct endpoint_entry {
  struct endpoint endpoint;
  void *owner;
};

// Map from endpoints to their owners, which grows with the number of entries. An empty slot has no owner.
struct endpoint_map {
  struct endpoint_entry *entries;
  size_t capacity;
  size_t count;
};

void *endpoint_map_get(const struct endpoint_map *map, const struct endpoint *endpoint);
// Returns false when memory is exhausted.
bool endpoint_map_set(struct endpoint_map *map, const struct endpoint *endpoint, void *owner);
void endpoint_map_remove(struct endpoint_map *map, const struct endpoint *endpoint);
void endpoint_map_close(struct endpoint_map *map);

#endif
