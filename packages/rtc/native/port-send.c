#define _GNU_SOURCE // sendmmsg, in6_pktinfo
#include "port-internal.h"
#include "udp-segments.h"
#include <errno.h>
#include <string.h>

enum {
  // Maximum number of bytes sent to an unproven address: three times the bytes received from it (as in QUIC, RFC 9000 §8.1), but at least
  // `unproven_bytes`. This minimum allows two or three repetitions of a flight. It is smaller than the request of the call that opened the
  // session.
  unproven_factor = 3,
  unproven_bytes = 2000,
};

void port_send_plain(struct port *port, const struct path *to, const uint8_t *datagram, size_t length) {
  union socket_address address;
  _Alignas(struct cmsghdr) uint8_t control[LOCAL_CONTROL_BYTES];
  size_t control_bytes = 0;
  local_address_control(to, port->family, control, &control_bytes);
  struct iovec piece = {(void *)datagram, length};
  note_asked(port, datagram, length);
  struct msghdr message = {.msg_name = &address, .msg_iov = &piece, .msg_iovlen = 1, .msg_control = control, .msg_controllen = control_bytes};
  message.msg_namelen = endpoint_address(&to->remote, port->family, &address);
  if (message.msg_namelen == 0 || sendmsg(port->socket, &message, MSG_DONTWAIT) < 0) port->counters.dropped++;
}

void send_handshake(void *owner, const uint8_t *datagram, size_t length) {
  struct session *session = owner;
  if (session->target_bytes == 0) return;
  size_t allowed = unproven_factor * session->bytes_in;
  if (!session->has_keys && session->bytes_out + length > (allowed > unproven_bytes ? allowed : unproven_bytes)) return; // will be retransmitted
  session->bytes_out += length;
  port_send_plain(session->port, &session->path, datagram, length);
}

static size_t count_segments(const struct port *port, size_t start, size_t end) {
  const struct queued_packet *first = &port->queue[start];
  size_t bytes = first->length;
  size_t count = 1;
  if (!port->can_segment || first->session->needs_single_packets) return count;
  while (start + count < end && count < UDP_SEGMENTS_MAX) {
    const struct queued_packet *next = &port->queue[start + count];
    if (next->session != first->session || next->length > first->length || bytes + next->length > UDP_SEGMENTED_BYTES_MAX) break;
    bytes += next->length;
    count++;
    if (next->length < first->length) break;
  }
  return count;
}

static void fill_message(struct port *port, size_t message, size_t piece, size_t start, size_t count) {
  struct message_buffers *buffers = port->buffers;
  struct msghdr *header = &buffers->messages[message].msg_hdr;
  const struct queued_packet *first = &port->queue[start];
  memset(header, 0, sizeof *header);
  header->msg_name = (void *)&first->session->target;
  header->msg_namelen = first->session->target_bytes;
  header->msg_iov = &buffers->pieces[piece];
  header->msg_iovlen = count;
  buffers->packets[message] = count;
  for (size_t i = 0; i < count; i++) {
    buffers->pieces[piece + i].iov_base = port->queue[start + i].bytes;
    buffers->pieces[piece + i].iov_len = port->queue[start + i].length;
  }
  uint8_t *control = buffers->control[message];
  size_t used = 0;
  if (count > 1) used = udp_segment_control(control, first->length);
  local_address_control(&first->session->path, port->family, control, &used);
  header->msg_control = used > 0 ? control : NULL;
  header->msg_controllen = used;
}

// Whether sending without segmentation may succeed. Devices without checksum offload refuse all segmented messages. A path with a small MTU
// refuses the segmented messages to one peer.
static bool is_segmentation_refused(struct port *port, struct session *session, int error) {
  if (error == EIO || error == EOPNOTSUPP || error == ENOPROTOOPT) port->can_segment = false;
  else if (error == EINVAL || error == EMSGSIZE) session->needs_single_packets = true;
  else return false;
  return true;
}

// Waits if a queue is full; returns false for other errors.
static bool await_room(struct port *port, int error) {
  if (error == ENOBUFS) {
    port->room = ROOM_AWAITS_DEVICE;
    await_device(port);
  } else if (error == EAGAIN || error == EWOULDBLOCK) {
    port->room = ROOM_AWAITS_SOCKET;
    watch_socket(port);
  } else {
    return false;
  }
  return true;
}

// Sends up to `flush_packets` packets of the queue; false when the kernel's queue is full.
static bool send_some(struct port *port) {
  const struct message_buffers *buffers = port->buffers;
  size_t end = port->queue_end - port->queue_start > flush_packets ? port->queue_start + flush_packets : port->queue_end;
  size_t messages = 0;
  size_t piece = 0;
  for (size_t start = port->queue_start; start < end;) {
    size_t count = count_segments(port, start, end);
    fill_message(port, messages++, piece, start, count);
    piece += count;
    start += count;
  }
  int sent = sendmmsg(port->socket, port->buffers->messages, (unsigned)messages, MSG_DONTWAIT);
  port->counters.send_calls++;
  for (int i = 0; i < sent; i++) {
    port->queue_start += buffers->packets[i];
    port->counters.sent += buffers->packets[i];
  }
  if (sent >= 0) return true;
  if (await_room(port, errno)) return false;
  if (buffers->packets[0] > 1 && is_segmentation_refused(port, port->queue[port->queue_start].session, errno)) return true;
  port->queue_start += buffers->packets[0];
  port->counters.dropped += buffers->packets[0];
  return true;
}

void port_flush(struct port *port) {
  if (port->room != ROOM_FREE) return;
  while (port->queue_start < port->queue_end)
    if (!send_some(port)) return;
  port->queue_start = port->queue_end = 0;
}

bool port_send(struct port *port, uint32_t id, const uint8_t *packet, size_t length) {
  struct session *session = find_session(port, id);
  if (!session || !session->has_keys || session->was_told_closed || length > PORT_MAX_PACKET_BYTES) return false;
  if (port->queue_end == queue_packets && port->queue_start >= flush_packets) {
    port->queue_end -= port->queue_start;
    memmove(port->queue, port->queue + port->queue_start, port->queue_end * sizeof *port->queue);
    port->queue_start = 0;
  }
  if (port->queue_end == queue_packets) {
    port->counters.dropped++;
    return false;
  }
  struct queued_packet *queued = &port->queue[port->queue_end];
  int bytes = is_rtcp(packet, length) ? srtp_protect_rtcp(&session->sending, packet, length, queued->bytes)
                                      : srtp_protect_rtp(&session->sending, packet, length, queued->bytes);
  if (bytes < 0) return false;
  queued->session = session;
  queued->length = (size_t)bytes;
  port->queue_end++;
  if (port->queue_end - port->queue_start >= flush_packets) port_flush(port);
  return true;
}

void drop_queued(struct port *port, const struct session *session) {
  size_t kept = port->queue_start;
  for (size_t i = port->queue_start; i < port->queue_end; i++) {
    if (port->queue[i].session == session) continue;
    if (kept != i) port->queue[kept] = port->queue[i];
    kept++;
  }
  port->queue_end = kept;
}
