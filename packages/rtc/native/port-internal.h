// Definitions shared by the files of the port.
#ifndef PORT_INTERNAL_H
#define PORT_INTERNAL_H
#include "early-hellos.h"
#include "port.h"
#include "rate-limit.h"
#include "stun.h"

enum {
  // Maximum number of datagrams per system call.
  receive_batch = 32,
  // Length of the send queue in packets: a keyframe of 25 packets for twenty viewers.
  queue_packets = 512,
  // Queue length at which packets are sent, while they are still in the CPU cache.
  flush_packets = 64,
  // Addresses per session. A browser checks one address for each of its networks.
  addresses_per_session = 8,
  // Hash buckets of session names. A full port has eight sessions per bucket.
  name_buckets = 4096,
  // Maximum number of outgoing checks that await a response. A session has one check at a time, and repeats a lost check.
  asked_checks = 1024,
  slot_bits = 16,
};

struct session_name {
  char text[PORT_MAX_NAME_BYTES];
  size_t length;
};

// An address from which a check arrived. The check alone does not prove the address, because a client with the password can forge its
// source address. A handshake, or the response to an outgoing check, proves the address.
struct claim {
  struct endpoint at;
  bool is_proven;
};

// Transaction IDs of outgoing checks. A new ID may replace an old ID. Unused places hold random bytes.
struct asked_transactions {
  uint8_t transactions[asked_checks][STUN_TRANSACTION_BYTES];
};

enum room {
  ROOM_FREE,
  // Queued packets wait until the socket is writable.
  ROOM_AWAITS_SOCKET,
  // Queued packets wait for a timer. The queue of the network device is full (ENOBUFS), which polling the socket does not report.
  ROOM_AWAITS_DEVICE,
};

struct session {
  struct port *port;
  // The receiver's part of USERNAME in incoming connectivity checks.
  struct session_name name;
  struct session *next_of_bucket;
  // Verifies MESSAGE-INTEGRITY of incoming connectivity checks.
  struct hmac_sha1 check_key;
  struct bucket checks;
  uint32_t id;
  bool is_server;
  bool has_keys;
  bool was_told_closed;
  uint64_t heard_ms;
  struct dtls dtls;
  struct srtp sending;
  struct srtp receiving;
  // The last addresses that passed a check or were proven, oldest first. `path` contains the address in use.
  struct claim addresses[addresses_per_session];
  size_t address_count;
  // Addresses that a peer without checks has announced.
  struct endpoint expected[addresses_per_session];
  size_t expected_count;
  struct path path;
  union socket_address target;
  // 0: no address is known yet.
  socklen_t target_bytes;
  bool is_nominated;
  bool is_started;
  uint64_t checked_ms;
  // Bytes received and sent before an address is proven.
  size_t bytes_in;
  size_t bytes_out;
  // The path has a small MTU. Packets are sent singly, because the kernel can only fragment single packets.
  bool needs_single_packets;
};

struct queued_packet {
  struct session *session;
  size_t length;
  uint8_t bytes[PORT_MAX_PACKET_BYTES + SRTP_MAX_GROWTH_BYTES];
};

// Messages for the kernel. A message has one packet, or several packets of one length to one peer (the last may be shorter).
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
  uv_timer_t room_timer;
  unsigned open_handles;
  int socket;
  sa_family_t family;
  uint16_t number;
  bool is_closed;
  bool can_segment;
  enum room room;
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
  // Announced, unproven addresses, each with the session that announced it last. Other sessions may still claim these addresses.
  struct endpoint_map expected;
  struct session *names[name_buckets];
  // Limits of error responses to checks with a wrong password.
  struct source_limit failures_of_source;
  struct bucket failures;
  struct bucket answers;
  struct asked_transactions asked;
  struct early_hellos early_hellos;
  struct message_buffers *buffers;
  struct queued_packet *queue;
  size_t queue_start;
  size_t queue_end;
  uint8_t received[receive_batch][DTLS_MAX_DATAGRAM_BYTES];
};

// port.c
void watch_socket(struct port *port);
void await_device(struct port *port);
void schedule_tick(struct port *port);

// port-send.c
void send_handshake(void *owner, const uint8_t *datagram, size_t length);
void drop_queued(struct port *port, const struct session *session);

// port-session.c
struct session *find_session(const struct port *port, uint32_t id);
struct session *session_of_name(const struct port *port, struct slice name);
// Runs the due timers of a session, which may end the session.
void attend_session(struct session *session, uint64_t now, uint64_t stalled_ms);
// Assigns a proven address to the session. Sessions with unproven claims lose the address. Returns false when the address belongs to
// another session.
bool claim_proven(struct session *session, const struct endpoint *at);
void aim_session(struct session *session, const struct path *at);
void follow_handshake(struct session *session, enum dtls_state state);

// port-receive.c
void receive_datagram(struct port *port, uint8_t *datagram, size_t length, const struct path *from);
// Receives datagrams with one system call; false when none is left.
bool receive_some(struct port *port);
bool asked_open(struct asked_transactions *asked);
void note_asked(struct port *port, const uint8_t *datagram, size_t length);

#endif
