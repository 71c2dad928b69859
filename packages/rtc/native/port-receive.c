#define _GNU_SOURCE // recvmmsg, in6_pktinfo
#include "port-internal.h"
#include <openssl/rand.h>
#include <string.h>

// Rate of checks per session. Browsers send at most 20 per second; RFC 8445 §14.2 allows 200 for all pairs.
static const struct rate check_rate = {.interval_ms = 10, .burst = 200};
// Rates of error responses to checks with a wrong password, per source and for the whole port. A peer repeats such a check about ten times.
static const struct rate failure_rate_of_source = {.interval_ms = 100, .burst = 20};
static const struct rate failure_rate = {.interval_ms = 10, .burst = 100};
// Limit of received responses to our connectivity checks, for the whole port. A session has one check at a time, but its peer knows the
// transaction ID and could repeat the response.
static const struct rate answer_rate = {.interval_ms = 1, .burst = 1000};

// --- STUN -------------------------------------------------------------------------------------------------------------------

static uint8_t *place_of_asked(struct port *port, const uint8_t *transaction) {
  // The first bytes of an ID suffice as hash, because IDs of outgoing transactions are random.
  return port->asked.transactions[(size_t)(transaction[0] << 8 | transaction[1]) % asked_checks];
}

bool asked_open(struct asked_transactions *asked) {
  return RAND_bytes(asked->transactions[0], sizeof asked->transactions) == 1;
}

void note_asked(struct port *port, const uint8_t *datagram, size_t length) {
  struct stun_message message = stun_read(datagram, length);
  if (message.kind == STUN_REQUEST) memcpy(place_of_asked(port, message.transaction), message.transaction, STUN_TRANSACTION_BYTES);
}

// Whether the port's owner gets the message: a response to an outgoing check, or a check for a session. Checks with a wrong password have
// stricter limits, and get an error response from the owner.
static bool is_stun_wanted(struct port *port, const uint8_t *datagram, size_t length, const struct path *from) {
  struct stun_message message = stun_read(datagram, length);
  uint64_t now = uv_now(port->loop);
  if (message.kind == STUN_SUCCESS) {
    bool is_asked = memcmp(place_of_asked(port, message.transaction), message.transaction, STUN_TRANSACTION_BYTES) == 0;
    return is_asked && bucket_take(&port->answers, &answer_rate, now);
  }
  struct session *session = message.kind == STUN_REQUEST ? session_of_name(port, message.receiver) : NULL;
  if (!session) return false;
  if (stun_has_integrity(&message, datagram, &session->check_key)) return bucket_take(&session->checks, &check_rate, now);
  return bucket_take(source_bucket(&port->failures_of_source, &from->remote.ip), &failure_rate_of_source, now) &&
         bucket_take(&port->failures, &failure_rate, now);
}

// --- Media ------------------------------------------------------------------------------------------------------------------

static bool receive_media(struct session *session, uint8_t *packet, size_t length) {
  if (!session->has_keys || session->was_told_closed) return false;
  int bytes =
      is_rtcp(packet, length) ? srtp_unprotect_rtcp(&session->receiving, packet, length) : srtp_unprotect_rtp(&session->receiving, packet, length);
  if (bytes < 0) return false;
  session->heard_ms = uv_now(session->port->loop);
  session->port->events.on_media(session->port->events.owner, session->id, packet, (size_t)bytes);
  return true;
}

// --- DTLS -------------------------------------------------------------------------------------------------------------------

enum { record_handshake = 22 };

// Verifies a client's address with a cookie, which does not reach a client with a forged address. Returns true once the address is proven
// and the handshake continues.
static bool prove_client(struct session *session, const uint8_t *datagram, size_t length, const struct path *from) {
  enum { name_bytes = sizeof(struct in6_addr) + sizeof(uint16_t) };
  if (datagram[0] != record_handshake || length > DTLS_MAX_DATAGRAM_BYTES) return false;
  uint8_t name[name_bytes];
  memcpy(name, &from->remote.ip, sizeof from->remote.ip);
  memcpy(name + sizeof from->remote.ip, &from->remote.port, sizeof from->remote.port);
  session->bytes_in += length;
  aim_session(session, from);
  if (!dtls_listen(&session->dtls, datagram, length, name, sizeof name)) return false;
  session->heard_ms = uv_now(session->port->loop);
  return true;
}

// Whether a handshake started from this address before the peer's check of the address (`early-hellos.h`).
static bool is_address_forged(const struct session *session, const struct path *from) {
  if (!session->is_server || session->has_keys || session->dtls.is_fed || session->was_told_closed) return false;
  return early_hellos_has(&session->port->early_hellos, &from->remote, uv_now(session->port->loop));
}

static void return_to(struct session *session, const struct path *known, socklen_t known_bytes) {
  aim_session(session, known);
  session->target_bytes = known_bytes;
}

// During the handshake, a session accepts messages from any of its addresses and responds there. The completed handshake proves the
// address. Later, encrypted records identify the peer.
static bool receive_dtls(struct session *session, const uint8_t *datagram, size_t length, const struct path *from) {
  bool is_handshaking = !session->has_keys;
  struct path known = session->path;
  socklen_t known_bytes = session->target_bytes;
  if (is_address_forged(session, from)) {
    bool is_proven = prove_client(session, datagram, length, from);
    if (!is_proven) return_to(session, &known, known_bytes);
    else follow_handshake(session, session->dtls.state);
    return is_proven;
  }
  if (is_handshaking) {
    // Dropped datagrams also raise the limit of sent bytes. A peer that repeats its first message can then receive the server's flight
    // again.
    session->bytes_in += length;
    aim_session(session, from);
  }
  bool is_plausible;
  enum dtls_state state = dtls_receive(&session->dtls, datagram, length, &is_plausible);
  if (is_handshaking && is_plausible) {
    session->heard_ms = uv_now(session->port->loop);
  } else if (is_handshaking) {
    return_to(session, &known, known_bytes);
  }
  follow_handshake(session, state);
  return is_plausible;
}

// For a session whose peer sends no checks and announced this address. If the peer is the DTLS server, returns the session. If the peer is
// the DTLS client, returns NULL: the peer must first return a cookie from this address, and then the session owns the address.
static struct session *expected_at(struct port *port, const uint8_t *datagram, size_t length, const struct path *from) {
  struct session *session = endpoint_map_get(&port->expected, &from->remote);
  if (!session || session->was_told_closed) return NULL;
  if (!session->is_server) return session->is_started && endpoint_equal(&session->path.remote, &from->remote) ? session : NULL;
  if (session->address_count > 0) return NULL;
  if (!prove_client(session, datagram, length, from)) {
    session->target_bytes = 0;
    return NULL;
  }
  if (claim_proven(session, &from->remote)) follow_handshake(session, session->dtls.state);
  return NULL;
}

static bool is_unknown(const struct port *port, const struct path *from) {
  return !endpoint_map_get(&port->map, &from->remote) && !endpoint_map_get(&port->expected, &from->remote);
}

// --- Datagrams --------------------------------------------------------------------------------------------------------------

// RFC 7983 §7.
void receive_datagram(struct port *port, uint8_t *datagram, size_t length, const struct path *from) {
  port->counters.received++;
  uint8_t first = length > 0 ? datagram[0] : 255;
  if (first <= 3) {
    if (is_stun_wanted(port, datagram, length, from)) port->events.on_stun(port->events.owner, datagram, length, from);
    else port->counters.ignored++;
    return;
  }
  struct session *session = endpoint_map_get(&port->map, &from->remote);
  if (!session && first >= 20 && first <= 63) {
    session = expected_at(port, datagram, length, from);
    if (!session && first == record_handshake && is_unknown(port, from))
      early_hellos_note(&port->early_hellos, &from->remote, uv_now(port->loop));
  }
  bool is_taken = false;
  if (session && first >= 20 && first <= 63) is_taken = receive_dtls(session, datagram, length, from);
  else if (session && first >= 128 && first <= 191) is_taken = receive_media(session, datagram, length);
  if (!is_taken) port->counters.ignored++;
}

bool receive_some(struct port *port) {
  struct iovec pieces[receive_batch];
  union socket_address senders[receive_batch];
  struct mmsghdr messages[receive_batch];
  _Alignas(struct cmsghdr) uint8_t controls[receive_batch][LOCAL_CONTROL_BYTES];
  memset(messages, 0, sizeof messages);
  for (size_t i = 0; i < receive_batch; i++) {
    pieces[i] = (struct iovec){port->received[i], DTLS_MAX_DATAGRAM_BYTES};
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
    else receive_datagram(port, port->received[i], messages[i].msg_len, &from);
  }
  return count == receive_batch;
}
