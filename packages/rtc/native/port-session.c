#define _GNU_SOURCE // in6_pktinfo, mmsghdr
#include "port-internal.h"
#include <stdlib.h>
#include <string.h>

enum {
  // A session that receives no packets for this time has ended (RFC 7675 §5.1: consent ends after 30 s).
  silence_ms = 30000,
  // If an unconnected session received nothing for this time, another session may take over its address.
  takeover_ms = 2000,
  // If the peer nominates no address, the handshake starts after this time.
  nomination_wait_ms = 500,
  // Minimum size of a check with USERNAME and MESSAGE-INTEGRITY.
  least_check_bytes = 80,
  max_generation = 0x7fff,
};

// --- Names ------------------------------------------------------------------------------------------------------------------

static struct session **bucket_of(struct session *const *names, struct slice name) {
  // FNV-1a. Attackers cannot cause collisions, because this server chooses random names.
  uint32_t hash = 0x811c9dc5u;
  for (size_t i = 0; i < name.length; i++) hash = (hash ^ name.bytes[i]) * 0x01000193u;
  return (struct session **)&names[(hash ^ hash >> 16) % name_buckets];
}

static struct slice name_of(const struct session *session) {
  return (struct slice){(const uint8_t *)session->name.text, session->name.length};
}

struct session *session_of_name(const struct port *port, struct slice name) {
  if (name.length == 0) return NULL;
  struct session *session = *bucket_of(port->names, name);
  while (session && (session->name.length != name.length || memcmp(session->name.text, name.bytes, name.length) != 0)) session = session->next_of_bucket;
  return session;
}

static void add_name(struct session *session) {
  struct session **bucket = bucket_of(session->port->names, name_of(session));
  session->next_of_bucket = *bucket;
  *bucket = session;
}

static void remove_name(struct session *session) {
  struct session **link = bucket_of(session->port->names, name_of(session));
  while (*link && *link != session) link = &(*link)->next_of_bucket;
  if (*link) *link = session->next_of_bucket;
}

// --- Opening and closing ----------------------------------------------------------------------------------------------------

struct session *find_session(const struct port *port, uint32_t id) {
  size_t place = id & ((1u << slot_bits) - 1);
  if (place >= port->slot_count || !port->slots[place].session) return NULL;
  return port->slots[place].session->id == id ? port->slots[place].session : NULL;
}

// A free slot, or a new slot at the end (`slot_count` grows). PORT_MAX_SESSIONS when the port is full or memory is exhausted.
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

uint32_t port_open_session(struct port *port, bool is_server, const struct dtls_peer_certificate *peer, const struct port_credentials *credentials) {
  if (credentials->name_length > PORT_MAX_NAME_BYTES || credentials->password_length > HMAC_SHA1_MAX_KEY_BYTES) return 0;
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
  session->name.length = credentials->name_length;
  memcpy(session->name.text, credentials->name, credentials->name_length);
  hmac_sha1_open(&session->check_key, credentials->password, credentials->password_length);
  add_name(session);
  port->session_count++;
  port->handshakes++;
  schedule_tick(port);
  return session->id;
}

static void end_handshake(struct session *session) {
  if (session->has_keys || session->was_told_closed) return;
  session->port->handshakes--;
}

static void forget_address(struct session *session, size_t index) {
  struct port *port = session->port;
  const struct endpoint *at = &session->addresses[index].at;
  if (endpoint_map_get(&port->map, at) == session) endpoint_map_remove(&port->map, at);
  session->address_count--;
  memmove(&session->addresses[index], &session->addresses[index + 1], (session->address_count - index) * sizeof session->addresses[0]);
}

static void forget_expected(struct session *session) {
  struct endpoint_map *map = &session->port->expected;
  while (session->expected_count > 0) {
    const struct endpoint *at = &session->expected[--session->expected_count];
    if (endpoint_map_get(map, at) == session) endpoint_map_remove(map, at);
  }
}

void port_close_session(struct port *port, uint32_t id) {
  struct session *session = find_session(port, id);
  if (!session) return;
  port_flush(port);
  drop_queued(port, session);
  end_handshake(session);
  dtls_close(&session->dtls, true);
  while (session->address_count > 0) forget_address(session, session->address_count - 1);
  forget_expected(session);
  remove_name(session);
  OPENSSL_cleanse(&session->check_key, sizeof session->check_key);
  srtp_close(&session->sending);
  srtp_close(&session->receiving);
  port->slots[id & ((1u << slot_bits) - 1)].session = NULL;
  port->session_count--;
  free(session);
  schedule_tick(port);
}

static void tell_closed(struct session *session) {
  if (session->was_told_closed) return;
  end_handshake(session);
  session->was_told_closed = true;
  session->port->events.on_event(session->port->events.owner, session->id, PORT_CLOSED);
  schedule_tick(session->port);
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

// --- Addresses --------------------------------------------------------------------------------------------------------------

void aim_session(struct session *session, const struct path *at) {
  session->path = *at;
  session->target_bytes = endpoint_address(&at->remote, session->port->family, &session->target);
}

static struct claim *claim_at(struct session *session, const struct endpoint *at) {
  for (size_t i = 0; i < session->address_count; i++)
    if (endpoint_equal(&session->addresses[i].at, at)) return &session->addresses[i];
  return NULL;
}

// Removes the oldest address, the least likely to be needed again. The address in use is never removed.
static void make_room(struct session *session) {
  if (session->address_count < addresses_per_session) return;
  forget_address(session, endpoint_equal(&session->addresses[0].at, &session->path.remote) ? 1 : 0);
}

static void lose_address(struct session *session, const struct endpoint *at) {
  struct claim *claim = claim_at(session, at);
  if (claim) forget_address(session, (size_t)(claim - session->addresses));
  if (endpoint_equal(&session->path.remote, at)) session->target_bytes = 0;
}

// Whether another session may take an address of `other`. A live session never loses a proven address. It loses an unproven address only to
// a proven claim.
static enum port_reached judge_claim(struct session *other, const struct endpoint *at, bool is_proven) {
  bool is_recent = other->has_keys || uv_now(other->port->loop) - other->heard_ms < takeover_ms;
  if (other->was_told_closed || !is_recent) return PORT_REACHED;
  const struct claim *claim = claim_at(other, at);
  if (claim && claim->is_proven) return PORT_NOT_REACHED;
  return is_proven ? PORT_REACHED : PORT_CONTESTED;
}

static enum port_reached claim_address(struct session *session, const struct endpoint *at, bool is_proven) {
  struct port *port = session->port;
  struct session *other = endpoint_map_get(&port->map, at);
  if (other && other != session) {
    enum port_reached judged = judge_claim(other, at, is_proven);
    if (judged != PORT_REACHED) return judged;
    lose_address(other, at);
  }
  if (other != session) {
    if (!endpoint_map_set(&port->map, at, session)) return PORT_NOT_REACHED;
    make_room(session);
    session->addresses[session->address_count++] = (struct claim){*at, false};
  }
  // A peer has one proven address at a time.
  for (size_t i = 0; is_proven && i < session->address_count; i++) session->addresses[i].is_proven = endpoint_equal(&session->addresses[i].at, at);
  return PORT_REACHED;
}

bool claim_proven(struct session *session, const struct endpoint *at) { return claim_address(session, at, true) == PORT_REACHED; }

enum port_reached port_reach(struct port *port, uint32_t id, const struct path *at, bool is_nominated) {
  struct session *session = find_session(port, id);
  if (!session || session->was_told_closed) return PORT_NOT_REACHED;
  enum port_reached reached = claim_address(session, &at->remote, false);
  if (reached != PORT_REACHED) return reached;
  session->heard_ms = uv_now(port->loop);
  if (session->checked_ms == 0) session->checked_ms = session->heard_ms;
  if (session->has_keys) {
    bool is_there = endpoint_equal(&session->path.remote, &at->remote) && memcmp(&session->path.local, &at->local, sizeof at->local) == 0;
    return is_nominated && !is_there ? PORT_UNPROVEN : PORT_REACHED;
  }
  session->bytes_in += least_check_bytes;
  if (is_nominated || !session->is_nominated) aim_session(session, at);
  session->is_nominated = session->is_nominated || is_nominated;
  return PORT_REACHED;
}

void port_move(struct port *port, uint32_t id, const struct path *to) {
  struct session *session = find_session(port, id);
  if (!session || session->was_told_closed || claim_address(session, &to->remote, true) != PORT_REACHED) return;
  if (session->has_keys) aim_session(session, to);
}

// --- Handshakes -------------------------------------------------------------------------------------------------------------

void follow_handshake(struct session *session, enum dtls_state state) {
  if (state == DTLS_CLOSED) {
    tell_closed(session);
  } else if (state == DTLS_CONNECTED && !session->has_keys && !session->was_told_closed) {
    if (!take_keys(session)) {
      tell_closed(session);
      return;
    }
    end_handshake(session);
    session->has_keys = true;
    forget_expected(session);
    claim_proven(session, &session->path.remote);
    schedule_tick(session->port);
    session->port->events.on_event(session->port->events.owner, session->id, PORT_CONNECTED);
  }
}

static void start_client(struct session *session) {
  if (session->is_server || session->is_started || session->target_bytes == 0) return;
  session->is_started = true;
  dtls_start(&session->dtls); // the next tick reports a failure
}

void port_expect(struct port *port, uint32_t id, const struct path *at) {
  struct session *session = find_session(port, id);
  if (!session || session->has_keys || session->was_told_closed || session->expected_count == addresses_per_session) return;
  if (!endpoint_map_set(&port->expected, &at->remote, session)) return;
  session->expected[session->expected_count++] = at->remote;
  if (session->is_server || session->is_started) return;
  aim_session(session, at);
  start_client(session);
}

void port_start(struct port *port, uint32_t id) {
  struct session *session = find_session(port, id);
  if (session && session->is_nominated) start_client(session);
}

void attend_session(struct session *session, uint64_t now, uint64_t stalled_ms) {
  if (session->was_told_closed) return;
  session->heard_ms += stalled_ms;
  if (now > session->heard_ms && now - session->heard_ms >= silence_ms) {
    tell_closed(session);
  } else if (!session->has_keys) {
    if (session->checked_ms != 0 && now - session->checked_ms >= nomination_wait_ms) start_client(session);
    follow_handshake(session, dtls_tick(&session->dtls));
  }
}
