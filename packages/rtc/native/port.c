#define _GNU_SOURCE // sendmmsg, recvmmsg, in6_pktinfo
#include "port.h"
#include <errno.h>
#include <netinet/udp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef SOL_UDP
#define SOL_UDP 17
#endif

enum {
  // Datagrams of one call of the kernel, and calls of one turn of the loop: others are served between.
  receive_batch = 32,
  receive_calls_per_turn = 8,
  max_received_bytes = 2048,
  // Packets that wait to be sent: a keyframe of 25 packets for twenty viewers while the kernel's queue is full.
  queue_packets = 512,
  // Sent when so many wait: they are still in the processor's cache.
  flush_packets = 64,
  // Segments that the kernel makes of one datagram, and the bytes of it (UDP_MAX_SEGMENTS of older kernels; IPv4's longest datagram).
  max_segments = 60,
  max_segmented_bytes = 60000,
  // Addresses that a session may be reached at: a browser tries one for each of its networks.
  addresses_per_session = 8,
  // The kernel's queues: a keyframe for hundreds of viewers, and their reports, arrive within a millisecond.
  kernel_queue_bytes = 4 * 1024 * 1024,
  handshake_tick_ms = 25,
  idle_tick_ms = 1000,
  // Nothing was heard for so long: the peer has gone (RFC 7675 §5.1: consent ends after 30 s).
  silence_ms = 30000,
  // Of all at once when the process stood still: what they sent meanwhile is read before anybody is judged.
  stall_ms = 5000,
  // An address of a session that has not connected may go to another one when nothing was heard there for so long. Nobody may take one from
  // who is connected.
  takeover_ms = 2000,
  // A peer that nominates nothing is begun with after this.
  nomination_wait_ms = 500,
  // Of a check with its USERNAME and MESSAGE-INTEGRITY, at least.
  least_check_bytes = 80,
  // What may be sent to an address that has proven nothing: times what came from there (as QUIC has it, RFC 9000 §8.1), and in any case two or
  // three repetitions of a flight, which is less than the call took that opened the session.
  unproven_factor = 3,
  unproven_bytes = 2000,
  slot_bits = 16,
  max_generation = 0x7fff,
};

struct session {
  struct port *port;
  uint32_t id;
  bool is_server;
  bool has_keys;
  bool was_told_closed;
  uint64_t heard_ms;
  struct dtls dtls;
  struct srtp sending;
  struct srtp receiving;
  // Where it is reached: all that passed a check, oldest first, and the one that is sent to.
  struct endpoint addresses[addresses_per_session];
  size_t address_count;
  struct path path;
  union socket_address target;
  // 0: nowhere yet.
  socklen_t target_bytes;
  bool is_nominated;
  bool is_started;
  uint64_t checked_ms;
  // While nothing is proven.
  size_t bytes_in;
  size_t bytes_out;
  // Its path takes shorter packets only: each goes by itself, so that the kernel can split it.
  bool needs_single_packets;
};

struct queued_packet {
  struct session *session;
  size_t length;
  uint8_t bytes[PORT_MAX_PACKET_BYTES + SRTP_MAX_GROWTH_BYTES];
};

// Messages of the kernel's: packets of one length to one peer, of which the last may be shorter, or a single packet.
struct message_buffers {
  struct iovec pieces[flush_packets];
  _Alignas(struct cmsghdr) uint8_t control[flush_packets][CMSG_SPACE(sizeof(uint16_t)) + LOCAL_CONTROL_BYTES];
  struct mmsghdr messages[flush_packets];
  size_t packets[flush_packets];
};

struct slot {
  struct session *session;
  uint16_t generation;
};

struct port {
  uv_loop_t *loop;
  uv_poll_t poll;
  uv_timer_t timer;
  unsigned open_handles;
  int socket;
  sa_family_t family;
  uint16_t number;
  bool is_closed;
  bool can_segment;
  bool awaits_room;
  uint64_t tick_ms;
  uint64_t ticked_ms;
  struct port_events events;
  struct port_counters counters;
  struct dtls_identity identity;
  struct slot *slots;
  size_t slot_count;
  size_t session_count;
  size_t handshakes;
  struct endpoint_map map;
  struct message_buffers *buffers;
  struct queued_packet *queue;
  size_t queue_start;
  size_t queue_end;
  uint8_t received[receive_batch][max_received_bytes];
};

// --- Sending ----------------------------------------------------------------------------------------------------------------

static void on_poll(uv_poll_t *poll, int status, int events);

static void watch(struct port *port, bool awaits_room) {
  if (port->awaits_room == awaits_room && uv_is_active((uv_handle_t *)&port->poll)) return;
  port->awaits_room = awaits_room;
  uv_poll_start(&port->poll, UV_READABLE | (awaits_room ? UV_WRITABLE : 0), on_poll);
}

static bool is_full(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == ENOBUFS; }

void port_send_plain(struct port *port, const struct path *to, const uint8_t *datagram, size_t length) {
  union socket_address address;
  _Alignas(struct cmsghdr) uint8_t control[LOCAL_CONTROL_BYTES];
  size_t control_bytes = 0;
  local_address_control(to, port->family, control, &control_bytes);
  struct iovec piece = {(void *)datagram, length};
  struct msghdr message = {.msg_name = &address, .msg_iov = &piece, .msg_iovlen = 1, .msg_control = control, .msg_controllen = control_bytes};
  message.msg_namelen = endpoint_address(&to->remote, port->family, &address);
  if (message.msg_namelen == 0 || sendmsg(port->socket, &message, MSG_DONTWAIT) < 0) port->counters.dropped++;
}

static void send_handshake(void *owner, const uint8_t *datagram, size_t length) {
  struct session *session = owner;
  if (session->target_bytes == 0) return;
  size_t allowed = unproven_factor * session->bytes_in;
  if (!session->has_keys && session->bytes_out + length > (allowed > unproven_bytes ? allowed : unproven_bytes)) return; // repeated later
  session->bytes_out += length;
  port_send_plain(session->port, &session->path, datagram, length);
}

static size_t count_segments(const struct port *port, size_t start, size_t end) {
  const struct queued_packet *first = &port->queue[start];
  size_t bytes = first->length;
  size_t count = 1;
  if (!port->can_segment || first->session->needs_single_packets) return count;
  while (start + count < end && count < max_segments) {
    const struct queued_packet *next = &port->queue[start + count];
    if (next->session != first->session || next->length > first->length || bytes + next->length > max_segmented_bytes) break;
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
  if (count > 1) {
    struct cmsghdr segmented = {.cmsg_len = CMSG_LEN(sizeof(uint16_t)), .cmsg_level = SOL_UDP, .cmsg_type = UDP_SEGMENT};
    uint16_t segment = (uint16_t)first->length;
    used = CMSG_SPACE(sizeof segment);
    memset(control, 0, used);
    memcpy(control, &segmented, sizeof segmented);
    memcpy(control + CMSG_LEN(0), &segment, sizeof segment);
  }
  local_address_control(&first->session->path, port->family, control, &used);
  header->msg_control = used > 0 ? control : NULL;
  header->msg_controllen = used;
}

// Whether sending the same without segments may help: devices without check sums refuse all, a path with a small MTU those of one peer.
static bool is_segmentation_refused(struct port *port, struct session *session, int error) {
  if (error == EIO || error == EOPNOTSUPP || error == ENOPROTOOPT) port->can_segment = false;
  else if (error == EINVAL || error == EMSGSIZE) session->needs_single_packets = true;
  else return false;
  return true;
}

// Sends up to `flush_packets` of the queue; false when the kernel has no room.
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
  if (is_full(errno)) return false;
  if (buffers->packets[0] > 1 && is_segmentation_refused(port, port->queue[port->queue_start].session, errno)) return true;
  port->queue_start += buffers->packets[0];
  port->counters.dropped += buffers->packets[0];
  return true;
}

void port_flush(struct port *port) {
  if (port->awaits_room) return;
  while (port->queue_start < port->queue_end) {
    if (!send_some(port)) {
      watch(port, true);
      return;
    }
  }
  port->queue_start = port->queue_end = 0;
}

static struct session *find_session(const struct port *port, uint32_t id) {
  size_t place = id & ((1u << slot_bits) - 1);
  if (place >= port->slot_count || !port->slots[place].session) return NULL;
  return port->slots[place].session->id == id ? port->slots[place].session : NULL;
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

// --- Sessions ---------------------------------------------------------------------------------------------------------------

static void on_tick(uv_timer_t *timer);

static void schedule(struct port *port) {
  uint64_t wanted = port->handshakes > 0 ? handshake_tick_ms : port->session_count > 0 ? idle_tick_ms : 0;
  if (wanted == port->tick_ms) return;
  port->tick_ms = wanted;
  port->ticked_ms = uv_now(port->loop);
  if (wanted == 0) uv_timer_stop(&port->timer);
  else uv_timer_start(&port->timer, on_tick, wanted, wanted);
}

// A free place, or `slot_count` grown by one; PORT_MAX_SESSIONS when there is none.
static size_t free_place(struct port *port) {
  if (port->session_count < port->slot_count)
    for (size_t place = 0; place < port->slot_count; place++)
      if (!port->slots[place].session) return place;
  if (port->slot_count == PORT_MAX_SESSIONS) return PORT_MAX_SESSIONS;
  struct slot *slots = realloc(port->slots, (port->slot_count + 1) * sizeof *slots);
  if (!slots) return PORT_MAX_SESSIONS;
  port->slots = slots;
  port->slots[port->slot_count] = (struct slot){NULL, 0};
  return port->slot_count++;
}

uint32_t port_open_session(struct port *port, bool is_server, const struct dtls_peer_certificate *peer) {
  size_t place = free_place(port);
  if (place == PORT_MAX_SESSIONS) return 0;
  struct session *session = calloc(1, sizeof *session);
  if (!session) return 0;
  if (!dtls_open(&session->dtls, &port->identity, is_server, peer, send_handshake, session)) {
    dtls_close(&session->dtls, false);
    free(session);
    return 0;
  }
  struct slot *slot = &port->slots[place];
  slot->generation = slot->generation == max_generation ? 1 : (uint16_t)(slot->generation + 1);
  slot->session = session;
  session->port = port;
  session->id = (uint32_t)slot->generation << slot_bits | (uint32_t)place;
  session->is_server = is_server;
  session->heard_ms = uv_now(port->loop);
  port->session_count++;
  port->handshakes++;
  schedule(port);
  return session->id;
}

static void end_handshake(struct session *session) {
  if (session->has_keys || session->was_told_closed) return;
  session->port->handshakes--;
}

static void drop_queued(struct port *port, const struct session *session) {
  size_t kept = port->queue_start;
  for (size_t i = port->queue_start; i < port->queue_end; i++) {
    if (port->queue[i].session == session) continue;
    if (kept != i) port->queue[kept] = port->queue[i];
    kept++;
  }
  port->queue_end = kept;
}

static void forget_address(struct session *session, size_t index) {
  struct port *port = session->port;
  if (endpoint_map_get(&port->map, &session->addresses[index]) == session) endpoint_map_remove(&port->map, &session->addresses[index]);
  session->address_count--;
  memmove(&session->addresses[index], &session->addresses[index + 1], (session->address_count - index) * sizeof session->addresses[0]);
}

void port_close_session(struct port *port, uint32_t id) {
  struct session *session = find_session(port, id);
  if (!session) return;
  port_flush(port);
  drop_queued(port, session);
  end_handshake(session);
  dtls_close(&session->dtls, true);
  while (session->address_count > 0) forget_address(session, session->address_count - 1);
  srtp_close(&session->sending);
  srtp_close(&session->receiving);
  port->slots[id & ((1u << slot_bits) - 1)].session = NULL;
  port->session_count--;
  free(session);
  schedule(port);
}

static void tell_closed(struct session *session) {
  if (session->was_told_closed) return;
  end_handshake(session);
  session->was_told_closed = true;
  session->port->events.on_event(session->port->events.owner, session->id, PORT_CLOSED);
  schedule(session->port);
}

static bool take_keys(struct session *session) {
  enum srtp_profile profile;
  struct dtls_srtp_keys own, others;
  bool ok = dtls_export(&session->dtls, session->is_server, &profile, &own, &others) &&
            srtp_open(&session->sending, profile, true, own.key, own.salt) && srtp_open(&session->receiving, profile, false, others.key, others.salt);
  OPENSSL_cleanse(&own, sizeof own);
  OPENSSL_cleanse(&others, sizeof others);
  return ok;
}

// DTLS has come to this state.
static void follow(struct session *session, enum dtls_state state) {
  if (state == DTLS_CLOSED) {
    tell_closed(session);
  } else if (state == DTLS_CONNECTED && !session->has_keys && !session->was_told_closed) {
    if (!take_keys(session)) {
      tell_closed(session);
      return;
    }
    end_handshake(session);
    session->has_keys = true;
    schedule(session->port);
    session->port->events.on_event(session->port->events.owner, session->id, PORT_CONNECTED);
  }
}

static void aim(struct session *session, const struct path *at) {
  session->path = *at;
  session->target_bytes = endpoint_address(&at->remote, session->port->family, &session->target);
}

// What a peer was reached at first is what it is least likely to need again, but for where it is sent to.
static void make_room(struct session *session) {
  if (session->address_count < addresses_per_session) return;
  forget_address(session, endpoint_equal(&session->addresses[0], &session->path.remote) ? 1 : 0);
}

// False when the address is somebody else's.
static bool claim(struct session *session, const struct endpoint *at) {
  struct port *port = session->port;
  struct session *other = endpoint_map_get(&port->map, at);
  if (other == session) return true;
  if (other) {
    bool is_alive = !other->was_told_closed && (other->has_keys || uv_now(port->loop) - other->heard_ms < takeover_ms);
    if (is_alive) return false;
    for (size_t i = other->address_count; i-- > 0;)
      if (endpoint_equal(&other->addresses[i], at)) forget_address(other, i);
    if (endpoint_equal(&other->path.remote, at)) other->target_bytes = 0;
  }
  if (!endpoint_map_set(&port->map, at, session)) return false;
  make_room(session);
  session->addresses[session->address_count++] = *at;
  return true;
}

enum port_reached port_reach(struct port *port, uint32_t id, const struct path *at, bool is_nominated) {
  struct session *session = find_session(port, id);
  if (!session || session->was_told_closed || !claim(session, &at->remote)) return PORT_NOT_REACHED;
  session->heard_ms = uv_now(port->loop);
  if (session->checked_ms == 0) session->checked_ms = session->heard_ms;
  if (session->has_keys) {
    bool is_there = endpoint_equal(&session->path.remote, &at->remote) && memcmp(&session->path.local, &at->local, sizeof at->local) == 0;
    return is_nominated && !is_there ? PORT_UNPROVEN : PORT_REACHED;
  }
  session->bytes_in += least_check_bytes;
  if (is_nominated || !session->is_nominated) aim(session, at);
  session->is_nominated = session->is_nominated || is_nominated;
  return PORT_REACHED;
}

void port_move(struct port *port, uint32_t id, const struct path *to) {
  struct session *session = find_session(port, id);
  if (session && session->has_keys && !session->was_told_closed && claim(session, &to->remote)) aim(session, to);
}

static void start_client(struct session *session) {
  if (session->is_server || session->is_started || session->target_bytes == 0) return;
  session->is_started = true;
  dtls_start(&session->dtls); // that it failed is told by the next tick
}

void port_start(struct port *port, uint32_t id) {
  struct session *session = find_session(port, id);
  if (session && session->is_nominated) start_client(session);
}

// --- Receiving --------------------------------------------------------------------------------------------------------------

static bool receive_media(struct session *session, uint8_t *packet, size_t length) {
  if (!session->has_keys || session->was_told_closed) return false;
  int bytes =
      is_rtcp(packet, length) ? srtp_unprotect_rtcp(&session->receiving, packet, length) : srtp_unprotect_rtp(&session->receiving, packet, length);
  if (bytes < 0) return false;
  session->port->events.on_media(session->port->events.owner, session->id, packet, (size_t)bytes);
  return true;
}

// Alerts and data that are not encrypted end a handshake, and anybody can write them: a peer that really gives up is waited for.
static bool is_foreign_record(const struct session *session, const uint8_t *record, size_t length) {
  enum { alert = 21, data = 23, epoch_at = 3, least_bytes = 13 };
  if (length < least_bytes) return true;
  bool is_plain = record[epoch_at] == 0 && record[epoch_at + 1] == 0;
  return !session->has_keys && is_plain && (record[0] == alert || record[0] == data);
}

// A handshake is believed while it lasts, answered where it came from, and when it is through it has proven that address. Whoever is connected is
// heard by what it encrypts.
static void take_handshake(struct session *session, const struct path *from, size_t length) {
  session->heard_ms = uv_now(session->port->loop);
  session->bytes_in += length;
  aim(session, from);
}

// RFC 7983 §7.
static void receive_one(struct port *port, uint8_t *datagram, size_t length, const struct path *from) {
  port->counters.received++;
  uint8_t first = length > 0 ? datagram[0] : 255;
  if (first <= 3) {
    port->events.on_stun(port->events.owner, datagram, length, from);
    return;
  }
  struct session *session = endpoint_map_get(&port->map, &from->remote);
  if (session && first >= 20 && first <= 63 && !is_foreign_record(session, datagram, length)) {
    if (!session->has_keys) take_handshake(session, from, length);
    follow(session, dtls_receive(&session->dtls, datagram, length));
  } else if (session && first >= 128 && first <= 191 && receive_media(session, datagram, length)) {
    session->heard_ms = uv_now(port->loop);
  } else {
    port->counters.ignored++;
  }
}

// One call of the kernel; false when nothing is left.
static bool receive_some(struct port *port) {
  struct iovec pieces[receive_batch];
  union socket_address senders[receive_batch];
  struct mmsghdr messages[receive_batch];
  _Alignas(struct cmsghdr) uint8_t controls[receive_batch][LOCAL_CONTROL_BYTES];
  memset(messages, 0, sizeof messages);
  for (size_t i = 0; i < receive_batch; i++) {
    pieces[i] = (struct iovec){port->received[i], max_received_bytes};
    messages[i].msg_hdr.msg_iov = &pieces[i];
    messages[i].msg_hdr.msg_iovlen = 1;
    messages[i].msg_hdr.msg_name = &senders[i];
    messages[i].msg_hdr.msg_namelen = sizeof senders[i];
    messages[i].msg_hdr.msg_control = controls[i];
    messages[i].msg_hdr.msg_controllen = sizeof controls[i];
  }
  int count = recvmmsg(port->socket, messages, receive_batch, MSG_DONTWAIT, NULL);
  for (int i = 0; i < count; i++) {
    struct path from = {.local = local_address_of(&messages[i].msg_hdr)};
    if (messages[i].msg_hdr.msg_flags & MSG_TRUNC || !endpoint_of(&senders[i], &from.remote)) port->counters.ignored++;
    else receive_one(port, port->received[i], messages[i].msg_len, &from);
  }
  return count == receive_batch;
}

static void on_poll(uv_poll_t *poll, int status, int events) {
  struct port *port = poll->data;
  if (status < 0) {
    // libuv has stopped watching: the error is taken from the socket, and it goes on.
    int error;
    socklen_t bytes = sizeof error;
    getsockopt(port->socket, SOL_SOCKET, SO_ERROR, &error, &bytes);
    watch(port, port->awaits_room);
    return;
  }
  if (events & UV_WRITABLE) {
    watch(port, false);
    port_flush(port);
  }
  if (!(events & UV_READABLE)) return;
  for (int calls = 0; calls < receive_calls_per_turn && receive_some(port); calls++) {
  }
  port->events.on_end(port->events.owner);
}

static void attend_handshake(struct session *session, uint64_t now) {
  if (session->checked_ms != 0 && now - session->checked_ms >= nomination_wait_ms) start_client(session);
  follow(session, dtls_tick(&session->dtls));
}

static void on_tick(uv_timer_t *timer) {
  struct port *port = timer->data;
  uint64_t now = uv_now(port->loop);
  uint64_t stalled_ms = now - port->ticked_ms > stall_ms ? now - port->ticked_ms : 0;
  port->ticked_ms = now;
  for (size_t place = 0; place < port->slot_count; place++) {
    struct session *session = port->slots[place].session;
    if (!session || session->was_told_closed) continue;
    session->heard_ms += stalled_ms;
    if (now > session->heard_ms && now - session->heard_ms >= silence_ms) tell_closed(session);
    else if (!session->has_keys) attend_handshake(session, now);
  }
  port->events.on_end(port->events.owner);
}

// --- Opening and closing ----------------------------------------------------------------------------------------------------

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
  if (IN6_IS_ADDR_UNSPECIFIED(&at->ip) || (family == AF_INET && address.v4.sin_addr.s_addr == INADDR_ANY)) local_address_wanted(number, family);
  if (bytes != 0 && bind(number, &address.base, bytes) == 0) return number;
  int error = bytes == 0 ? EAFNOSUPPORT : errno;
  close(number);
  errno = error;
  return -1;
}

// An address of its own family; without one both families, or IPv4 where the machine has no IPv6.
static int bind_socket(struct port *port, const char *ip, uint16_t number) {
  struct endpoint at;
  memset(&at, 0, sizeof at);
  at.port = number;
  if (ip && !endpoint_parse(ip, number, &at)) {
    errno = EINVAL;
    return -1;
  }
  port->family = ip && IN6_IS_ADDR_V4MAPPED(&at.ip) ? AF_INET : AF_INET6;
  int opened = open_socket(&at, port->family);
  if (opened >= 0 || ip || (errno != EAFNOSUPPORT && errno != EADDRNOTAVAIL)) return opened;
  endpoint_parse("0.0.0.0", number, &at);
  port->family = AF_INET;
  return open_socket(&at, port->family);
}

static void free_port(struct port *port) {
  dtls_identity_close(&port->identity);
  endpoint_map_close(&port->map);
  free(port->slots);
  free(port->queue);
  free(port->buffers);
  free(port);
}

static void on_handle_closed(uv_handle_t *handle) {
  struct port *port = handle->data;
  if (--port->open_handles == 0) free_port(port);
}

static bool start(struct port *port) {
  union socket_address address;
  struct endpoint bound;
  socklen_t bytes = sizeof address;
  if (getsockname(port->socket, &address.base, &bytes) != 0 || !endpoint_of(&address, &bound)) return false;
  port->number = bound.port;
  int nothing = 0;
  port->can_segment = setsockopt(port->socket, SOL_UDP, UDP_SEGMENT, &nothing, sizeof nothing) == 0;
  if (uv_poll_init(port->loop, &port->poll, port->socket) != 0) return false;
  uv_timer_init(port->loop, &port->timer);
  uv_unref((uv_handle_t *)&port->timer);
  port->open_handles = 2;
  port->poll.data = port->timer.data = port;
  watch(port, false);
  return true;
}

struct port *port_open(uv_loop_t *loop, const char *ip, uint16_t number, const struct port_events *events, int *error) {
  struct port *port = calloc(1, sizeof *port);
  *error = ENOMEM;
  if (!port) return NULL;
  port->loop = loop;
  port->events = *events;
  port->queue = malloc(queue_packets * sizeof *port->queue);
  port->buffers = calloc(1, sizeof *port->buffers);
  if (!port->queue || !port->buffers || !dtls_identity_open(&port->identity)) {
    free_port(port);
    return NULL;
  }
  port->socket = bind_socket(port, ip, number);
  if (port->socket >= 0 && start(port)) return port;
  *error = errno;
  if (port->socket >= 0) close(port->socket);
  free_port(port);
  return NULL;
}

uint16_t port_number(const struct port *port) { return port->number; }
const uint8_t *port_fingerprint(const struct port *port) { return port->identity.fingerprint; }
const struct port_counters *port_counters(const struct port *port) { return &port->counters; }

void port_close(struct port *port) {
  if (port->is_closed) return;
  port->is_closed = true;
  for (size_t place = 0; place < port->slot_count; place++)
    if (port->slots[place].session) port_close_session(port, port->slots[place].session->id);
  uv_poll_stop(&port->poll);
  uv_timer_stop(&port->timer);
  close(port->socket);
  uv_close((uv_handle_t *)&port->poll, on_handle_closed);
  uv_close((uv_handle_t *)&port->timer, on_handle_closed);
}
