#define _GNU_SOURCE // in6_pktinfo
#include "udp-socket.h"
#include "udp-segments.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

// Size of the kernel's queues. A keyframe for hundreds of viewers is sent within a millisecond, and their reports arrive within a
// millisecond.
enum { kernel_queue_bytes = 4 * 1024 * 1024 };

static void set_queue(int socket, int forced, int allowed) {
  int bytes = kernel_queue_bytes;
  if (setsockopt(socket, SOL_SOCKET, forced, &bytes, sizeof bytes) != 0) setsockopt(socket, SOL_SOCKET, allowed, &bytes, sizeof bytes);
}

static int open_socket(const struct endpoint *at, sa_family_t family) {
  int number = socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (number < 0) return -1;
  union socket_address address;
  socklen_t bytes = endpoint_address(at, family, &address);
  int off = 0;
  if (family == AF_INET6) setsockopt(number, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  set_queue(number, SO_RCVBUFFORCE, SO_RCVBUF);
  set_queue(number, SO_SNDBUFFORCE, SO_SNDBUF);
  if (bytes != 0 && bind(number, &address.base, bytes) == 0) return number;
  int error = bytes == 0 ? EAFNOSUPPORT : errno;
  close(number);
  errno = error;
  return -1;
}

int udp_socket_open(const char *ip, uint16_t number, sa_family_t *family) {
  struct endpoint at;
  memset(&at, 0, sizeof at);
  at.port = number;
  if (ip && !endpoint_parse(ip, number, &at)) {
    errno = EINVAL;
    return -1;
  }
  *family = ip && IN6_IS_ADDR_V4MAPPED(&at.ip) ? AF_INET : AF_INET6;
  int opened = open_socket(&at, *family);
  if (opened >= 0 || ip || (errno != EAFNOSUPPORT && errno != EADDRNOTAVAIL)) return opened;
  endpoint_parse("0.0.0.0", number, &at);
  *family = AF_INET;
  return open_socket(&at, *family);
}

// Number of leading datagrams that fit into one segmented message. They have one length; the last may be shorter.
static size_t count_segments(const struct datagram *datagrams, size_t count) {
  size_t bytes = datagrams[0].length;
  size_t segments = 1;
  while (segments < count && segments < UDP_SEGMENTS_MAX) {
    size_t length = datagrams[segments].length;
    if (length > datagrams[0].length || length == 0 || bytes + length > UDP_SEGMENTED_BYTES_MAX) break;
    bytes += length;
    segments++;
    if (length < datagrams[0].length) break;
  }
  return segments;
}

static bool send_segments(int number, const struct udp_target *to, const struct datagram *datagrams, size_t count) {
  struct iovec pieces[UDP_SEGMENTS_MAX];
  _Alignas(struct cmsghdr) uint8_t control[UDP_SEGMENT_CONTROL_BYTES];
  for (size_t i = 0; i < count; i++) pieces[i] = (struct iovec){(void *)datagrams[i].bytes, datagrams[i].length};
  struct msghdr message = {.msg_name = (void *)&to->address, .msg_namelen = to->bytes, .msg_iov = pieces, .msg_iovlen = count};
  if (count > 1) {
    message.msg_controllen = udp_segment_control(control, datagrams[0].length);
    message.msg_control = control;
  }
  return sendmsg(number, &message, MSG_DONTWAIT) >= 0;
}

size_t udp_socket_send(int number, const struct udp_target *to, const struct datagram *datagrams, size_t count) {
  bool can_segment = true;
  size_t taken = 0;
  while (taken < count) {
    size_t segments = can_segment ? count_segments(datagrams + taken, count - taken) : 1;
    if (send_segments(number, to, datagrams + taken, segments)) taken += segments;
    else if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS) break;
    else if (segments > 1) can_segment = false; // a device without checksum offload, or a path with a small MTU
    else taken++;
  }
  return taken;
}
