// One UDP port with all its sessions: receives, tells checks, DTLS and SRTP apart (RFC 7983), sends what waits in as few calls of the
// kernel as it takes. Driven by libuv's loop; ICE is its owner's.
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
  // Sessions of one port; the memory of a machine allows less.
  PORT_MAX_SESSIONS = 1 << 15,
  // Longest name and password of a session, bytes: ours have 8 and 24.
  PORT_MAX_NAME_BYTES = 32,
  PORT_MAX_PASSWORD_BYTES = 64,
  // Longest packet that is taken for sending, bytes: above every path's MTU.
  PORT_MAX_PACKET_BYTES = 1500,
};

enum port_event { PORT_CONNECTED, PORT_CLOSED };

struct port;

// What happened during one wakeup; `on_end` comes last, when `owner` may close the port.
struct port_events {
  void *owner;
  // A Binding request for a session, or the answer to one that `port_send_plain` sent.
  void (*on_stun)(void *owner, const uint8_t *datagram, size_t length, const struct path *from);
  void (*on_event)(void *owner, uint32_t session, enum port_event event);
  // A decrypted RTP or RTCP packet.
  void (*on_media)(void *owner, uint32_t session, const uint8_t *packet, size_t length);
  void (*on_end)(void *owner);
};

struct port_counters {
  uint64_t received;
  // Datagrams of nobody, forged, repeated, malformed.
  uint64_t ignored;
  uint64_t sent;
  // Calls of the kernel that sent them.
  uint64_t send_calls;
  // The kernel's queue was full for longer than ours, or the address cannot be reached.
  uint64_t dropped;
};

// Binds; `ip` NULL for all addresses of both families. Returns NULL with `*error` an errno.
struct port *port_open(uv_loop_t *loop, const char *ip, uint16_t number, const struct port_events *events, int *error);
uint16_t port_number(const struct port *port);
const uint8_t *port_fingerprint(const struct port *port);
const struct port_counters *port_counters(const struct port *port);
// Ends all sessions. The memory is freed in a later turn of the loop; nothing is told after this.
void port_close(struct port *port);

// By which a peer's checks are known: `a=ice-ufrag` and `a=ice-pwd` of ours. Without a name none is.
struct port_credentials {
  const char *name;
  size_t name_length;
  const uint8_t *password;
  size_t password_length;
};

// 0 when there is no room.
uint32_t port_open_session(struct port *port, bool is_server, const struct dtls_peer_certificate *peer, const struct port_credentials *credentials);
void port_close_session(struct port *port, uint32_t session);
// What a valid check of a session has led to.
enum port_reached {
  // A session that is alive has proven to be there: the check is not to be answered.
  PORT_NOT_REACHED,
  PORT_REACHED,
  // The peer wants its media there, where it has not proven to be: `port_move` once it has.
  PORT_UNPROVEN,
  // Another session says to be there, too. The check is not to be answered before the peer has proven it: `port_move`.
  PORT_CONTESTED,
};
// What comes from there is the session's from now on. Until the handshake is through, which proves an address, answers go there too.
enum port_reached port_reach(struct port *port, uint32_t session, const struct path *at, bool is_nominated);
// The peer has answered a check of ours there: the address is its own, and media goes there.
void port_move(struct port *port, uint32_t session, const struct path *to);
// A peer that makes no checks (ICE-lite, RFC 8445 §2.5) is there, by its own word: a handshake that it begins is believed once a cookie has
// proven the address. Where the first message is ours, it goes to the first address that is named.
void port_expect(struct port *port, uint32_t session, const struct path *at);
// The client's first message, where that is us, once the answer to the check has left. Nothing when it was sent.
void port_start(struct port *port, uint32_t session);

// Sends at once, unencrypted: answers to checks, and checks of ours.
void port_send_plain(struct port *port, const struct path *to, const uint8_t *datagram, size_t length);
// Encrypts an RTP or RTCP packet and puts it into the queue. False when the session is not connected or the queue is full.
bool port_send(struct port *port, uint32_t session, const uint8_t *packet, size_t length);
// Sends what waits.
void port_flush(struct port *port);

#endif
