// A UDP port with all its sessions: receives datagrams, separates STUN, DTLS and SRTP (RFC 7983), and sends queued packets in few system
// calls. Runs on libuv's loop. The owner of the port implements ICE.
#ifndef PORT_H
#define PORT_H
#include "dtls.h"
#include "endpoint.h"
#include "srtp.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

enum {
  // Maximum number of sessions per port. Available memory may allow fewer.
  PORT_MAX_SESSIONS = 1 << 15,
  // Maximum length of a session's name and password, bytes. The product uses 8 and 24.
  PORT_MAX_NAME_BYTES = 32,
  PORT_MAX_PASSWORD_BYTES = 64,
  // Maximum length of a packet to send, bytes, above the MTU of every path.
  PORT_MAX_PACKET_BYTES = 1500,
};

enum port_event { PORT_CONNECTED, PORT_CLOSED };

struct port;

// Events of one wakeup. In `on_end`, the last call, the owner may close the port.
struct port_events {
  void *owner;
  // A Binding request for a session, or the response to a request that `port_send_plain` sent.
  void (*on_stun)(void *owner, const uint8_t *datagram, size_t length, const struct path *from);
  void (*on_event)(void *owner, uint32_t session, enum port_event event);
  void (*on_media)(void *owner, uint32_t session, const uint8_t *packet, size_t length);
  void (*on_end)(void *owner);
};

struct port_counters {
  uint64_t received;
  // Unexpected, forged, repeated or malformed datagrams.
  uint64_t ignored;
  uint64_t sent;
  // System calls for the datagrams counted by `sent`.
  uint64_t send_calls;
  // Packets that were not sent: the queues were full, or the kernel refused them, e.g. because the address is unreachable.
  uint64_t dropped;
};

// Binds a socket; `ip` NULL means all addresses of both families. On failure returns NULL and sets `*error` to an errno.
struct port *port_open(uv_loop_t *loop, const char *ip, uint16_t number, const struct port_events *events, int *error);
uint16_t port_number(const struct port *port);
const uint8_t *port_fingerprint(const struct port *port);
const struct port_counters *port_counters(const struct port *port);
// Ends all sessions. No event is reported after this call. The memory is freed in a later iteration of the loop.
void port_close(struct port *port);

// Credentials of a peer's checks: the local `a=ice-ufrag` and `a=ice-pwd`. Without a name, no check matches the session.
struct port_credentials {
  const char *name;
  size_t name_length;
  const uint8_t *password;
  size_t password_length;
};

// Returns 0 when the maximum number of sessions is reached, a credential is too long, or memory is exhausted.
uint32_t port_open_session(struct port *port, bool is_server, const struct dtls_peer_certificate *peer, const struct port_credentials *credentials);
void port_close_session(struct port *port, uint32_t session);
// Result of a valid check of a session.
enum port_reached {
  // Do not respond to the check: the address is proven for another live session, or this session has ended.
  PORT_NOT_REACHED,
  PORT_REACHED,
  // The peer requests media at an unproven address. Call `port_move` once the address is proven.
  PORT_UNPROVEN,
  // Another session also claims the address. Do not respond until the peer has proven the address; then call `port_move`.
  PORT_CONTESTED,
};
// Assigns the address to the session. Until the handshake is complete, its messages go to this address, unless the peer nominated another.
enum port_reached port_reach(struct port *port, uint32_t session, const struct path *at, bool is_nominated);
// The peer has responded to an outgoing check at this address. The address is proven, and media goes there.
void port_move(struct port *port, uint32_t session, const struct path *to);
// Announces the address of a peer that sends no checks (ICE-lite, RFC 8445 §2.5). The peer's handshake is accepted once a cookie has proven
// the address. If this side is the client, its first message goes to the first announced address.
void port_expect(struct port *port, uint32_t session, const struct path *at);
// Sends the client's first message, if this side is the client and the peer has nominated an address. Call this function after the response
// to a check was sent or received. Repeated calls do nothing.
void port_start(struct port *port, uint32_t session);

// Sends a check, or the response to a check, immediately and unencrypted.
void port_send_plain(struct port *port, const struct path *to, const uint8_t *datagram, size_t length);
// Encrypts an RTP or RTCP packet and queues it. Returns false when the session is not connected, the queue is full, or the packet is
// invalid.
bool port_send(struct port *port, uint32_t session, const uint8_t *packet, size_t length);
void port_flush(struct port *port);

#endif
