#define _GNU_SOURCE // in6_pktinfo
#include "endpoint.h"
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

enum { first_capacity = 64 };

static void map_v4(const struct in_addr *v4, struct in6_addr *v6) {
  memset(v6, 0, sizeof *v6);
  v6->s6_addr[10] = v6->s6_addr[11] = 0xff;
  memcpy(v6->s6_addr + 12, v4, sizeof *v4);
}

bool endpoint_parse(const char *ip, uint16_t port, struct endpoint *endpoint) {
  struct in_addr v4;
  memset(endpoint, 0, sizeof *endpoint);
  endpoint->port = port;
  if (inet_pton(AF_INET, ip, &v4) == 1) {
    map_v4(&v4, &endpoint->ip);
    return true;
  }
  return inet_pton(AF_INET6, ip, &endpoint->ip) == 1;
}

bool endpoint_of(const union socket_address *address, struct endpoint *endpoint) {
  memset(endpoint, 0, sizeof *endpoint);
  if (address->base.sa_family == AF_INET) {
    map_v4(&address->v4.sin_addr, &endpoint->ip);
    endpoint->port = ntohs(address->v4.sin_port);
    return true;
  }
  if (address->base.sa_family != AF_INET6) return false;
  endpoint->ip = address->v6.sin6_addr;
  endpoint->port = ntohs(address->v6.sin6_port);
  if (IN6_IS_ADDR_LINKLOCAL(&endpoint->ip)) endpoint->scope = address->v6.sin6_scope_id;
  return true;
}

bool endpoint_equal(const struct endpoint *one, const struct endpoint *other) {
  return one->port == other->port && one->scope == other->scope && memcmp(&one->ip, &other->ip, sizeof one->ip) == 0;
}

socklen_t endpoint_address(const struct endpoint *endpoint, sa_family_t family, union socket_address *address) {
  memset(address, 0, sizeof *address);
  if (family == AF_INET) {
    if (!IN6_IS_ADDR_V4MAPPED(&endpoint->ip)) return 0;
    address->v4.sin_family = AF_INET;
    address->v4.sin_port = htons(endpoint->port);
    memcpy(&address->v4.sin_addr, endpoint->ip.s6_addr + 12, sizeof address->v4.sin_addr);
    return sizeof address->v4;
  }
  address->v6.sin6_family = AF_INET6;
  address->v6.sin6_port = htons(endpoint->port);
  address->v6.sin6_addr = endpoint->ip;
  address->v6.sin6_scope_id = endpoint->scope;
  return sizeof address->v6;
}

void local_address_wanted(int socket, sa_family_t family) {
  int on = 1;
  if (family == AF_INET6) setsockopt(socket, IPPROTO_IPV6, IPV6_RECVPKTINFO, &on, sizeof on);
  else setsockopt(socket, IPPROTO_IP, IP_PKTINFO, &on, sizeof on);
}

struct in6_addr local_address_of(struct msghdr *message) {
  struct in6_addr local = IN6ADDR_ANY_INIT;
  for (struct cmsghdr *control = CMSG_FIRSTHDR(message); control; control = CMSG_NXTHDR(message, control)) {
    if (control->cmsg_level == IPPROTO_IPV6 && control->cmsg_type == IPV6_PKTINFO) {
      struct in6_pktinfo info;
      memcpy(&info, CMSG_DATA(control), sizeof info);
      local = info.ipi6_addr;
    } else if (control->cmsg_level == IPPROTO_IP && control->cmsg_type == IP_PKTINFO) {
      struct in_pktinfo info;
      memcpy(&info, CMSG_DATA(control), sizeof info);
      map_v4(&info.ipi_spec_dst, &local);
    }
  }
  return local;
}

static void add_control(uint8_t *control, size_t *used, int level, int type, const void *data, size_t bytes) {
  struct cmsghdr header = {.cmsg_len = CMSG_LEN(bytes), .cmsg_level = level, .cmsg_type = type};
  memset(control + *used, 0, CMSG_SPACE(bytes));
  memcpy(control + *used, &header, sizeof header);
  memcpy(control + *used + CMSG_LEN(0), data, bytes);
  *used += CMSG_SPACE(bytes);
}

void local_address_control(const struct path *path, sa_family_t family, uint8_t *control, size_t *used) {
  if (IN6_IS_ADDR_UNSPECIFIED(&path->local)) return;
  if (family == AF_INET6) {
    // The kernel also accepts an IPv4-mapped address here.
    struct in6_pktinfo info = {.ipi6_addr = path->local, .ipi6_ifindex = path->remote.scope};
    add_control(control, used, IPPROTO_IPV6, IPV6_PKTINFO, &info, sizeof info);
  } else {
    struct in_pktinfo info = {0};
    memcpy(&info.ipi_spec_dst, path->local.s6_addr + 12, sizeof info.ipi_spec_dst);
    add_control(control, used, IPPROTO_IP, IP_PKTINFO, &info, sizeof info);
  }
}

void endpoint_text(const struct endpoint *endpoint, char *text) {
  if (IN6_IS_ADDR_V4MAPPED(&endpoint->ip)) inet_ntop(AF_INET, endpoint->ip.s6_addr + 12, text, INET6_ADDRSTRLEN);
  else inet_ntop(AF_INET6, &endpoint->ip, text, INET6_ADDRSTRLEN);
}

// --- The map: open addressing, linear probing, at most half full -------------------------------------------------------------

static size_t place_of(const struct endpoint_map *map, const struct endpoint *endpoint) {
  // FNV-1a without a secret. A session stores few addresses: those that passed a check, and those that its offer announced.
  uint64_t hash = 0xcbf29ce484222325u;
  const uint8_t *ip = endpoint->ip.s6_addr;
  for (size_t i = 0; i < sizeof endpoint->ip; i++) hash = (hash ^ ip[i]) * 0x100000001b3u;
  hash = (hash ^ (endpoint->port & 0xff)) * 0x100000001b3u;
  hash = (hash ^ (endpoint->port >> 8)) * 0x100000001b3u;
  return (size_t)(hash ^ hash >> 32) & (map->capacity - 1);
}

// The slot of the endpoint, or the empty slot for its insertion.
static struct endpoint_entry *entry_of(const struct endpoint_map *map, const struct endpoint *endpoint) {
  for (size_t place = place_of(map, endpoint);; place = (place + 1) & (map->capacity - 1)) {
    struct endpoint_entry *entry = &map->entries[place];
    if (!entry->owner || endpoint_equal(&entry->endpoint, endpoint)) return entry;
  }
}

void *endpoint_map_get(const struct endpoint_map *map, const struct endpoint *endpoint) {
  return map->capacity == 0 ? NULL : entry_of(map, endpoint)->owner;
}

static bool grow(struct endpoint_map *map) {
  struct endpoint_map larger = {.capacity = map->capacity ? map->capacity * 2 : first_capacity, .count = map->count};
  larger.entries = calloc(larger.capacity, sizeof *larger.entries);
  if (!larger.entries) return false;
  for (size_t i = 0; i < map->capacity; i++)
    if (map->entries[i].owner) *entry_of(&larger, &map->entries[i].endpoint) = map->entries[i];
  free(map->entries);
  *map = larger;
  return true;
}

bool endpoint_map_set(struct endpoint_map *map, const struct endpoint *endpoint, void *owner) {
  if (map->count * 2 >= map->capacity && !grow(map)) return false;
  struct endpoint_entry *entry = entry_of(map, endpoint);
  if (!entry->owner) map->count++;
  entry->endpoint = *endpoint;
  entry->owner = owner;
  return true;
}

void endpoint_map_remove(struct endpoint_map *map, const struct endpoint *endpoint) {
  if (map->capacity == 0) return;
  struct endpoint_entry *gap = entry_of(map, endpoint);
  if (!gap->owner) return;
  map->count--;
  size_t mask = map->capacity - 1;
  size_t hole = (size_t)(gap - map->entries);
  // Moves entries into the gap if probing would no longer find them.
  for (size_t place = (hole + 1) & mask; map->entries[place].owner; place = (place + 1) & mask) {
    size_t wanted = place_of(map, &map->entries[place].endpoint);
    if (((place - wanted) & mask) < ((place - hole) & mask)) continue;
    map->entries[hole] = map->entries[place];
    hole = place;
  }
  map->entries[hole].owner = NULL;
}

void endpoint_map_close(struct endpoint_map *map) {
  free(map->entries);
  memset(map, 0, sizeof *map);
}
