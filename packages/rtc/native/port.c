#define _GNU_SOURCE // in6_pktinfo, mmsghdr
#include "port-internal.h"
#include "udp-segments.h"
#include "udp-socket.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  // Receive calls per iteration of the loop. The loop must also serve other handles.
  receive_calls_per_turn = 8,
  handshake_tick_ms = 25,
  idle_tick_ms = 1000,
  // A longer interval between two ticks shows that the process was suspended. Received datagrams are then read before any session times
  // out.
  stall_ms = 5000,
  // Delay before a retry when the queue of the network device is full: the time of a thousand packets at 1 Gbps.
  device_wait_ms = 10,
};

// --- The loop ---------------------------------------------------------------------------------------------------------------

static void on_poll(uv_poll_t *poll, int status, int events);
static void on_tick(uv_timer_t *timer);

void watch_socket(struct port *port) {
  uv_poll_start(&port->poll, UV_READABLE | (port->room == ROOM_AWAITS_SOCKET ? UV_WRITABLE : 0), on_poll);
}

static void have_room(struct port *port) {
  port->room = ROOM_FREE;
  watch_socket(port);
  port_flush(port);
}

static void on_device_wait(uv_timer_t *timer) {
  struct port *port = timer->data;
  if (port->room == ROOM_AWAITS_DEVICE) have_room(port);
}

void await_device(struct port *port) { uv_timer_start(&port->room_timer, on_device_wait, device_wait_ms, 0); }

void schedule_tick(struct port *port) {
  uint64_t wanted = port->handshakes > 0 ? handshake_tick_ms : port->session_count > 0 ? idle_tick_ms : 0;
  if (wanted == port->tick_ms) return;
  port->tick_ms = wanted;
  port->ticked_ms = uv_now(port->loop);
  if (wanted == 0) uv_timer_stop(&port->timer);
  else uv_timer_start(&port->timer, on_tick, wanted, wanted);
}

static void on_poll(uv_poll_t *poll, int status, int events) {
  struct port *port = poll->data;
  if (status < 0) {
    // libuv has stopped polling. Reading the socket's error clears it, and polling continues.
    int error;
    socklen_t bytes = sizeof error;
    getsockopt(port->socket, SOL_SOCKET, SO_ERROR, &error, &bytes);
    watch_socket(port);
    return;
  }
  if (events & UV_WRITABLE && port->room == ROOM_AWAITS_SOCKET) have_room(port);
  if (!(events & UV_READABLE)) return;
  for (int calls = 0; calls < receive_calls_per_turn && receive_some(port); calls++) {
  }
  port->events.on_end(port->events.owner);
}

static void on_tick(uv_timer_t *timer) {
  struct port *port = timer->data;
  uint64_t now = uv_now(port->loop);
  uint64_t stalled_ms = now - port->ticked_ms > stall_ms ? now - port->ticked_ms : 0;
  port->ticked_ms = now;
  for (size_t place = 0; place < port->slot_count; place++)
    if (port->slots[place].session) attend_session(port->slots[place].session, now, stalled_ms);
  port->events.on_end(port->events.owner);
}

// --- Opening and closing ----------------------------------------------------------------------------------------------------

static void free_port(struct port *port) {
  dtls_identity_close(&port->identity);
  endpoint_map_close(&port->map);
  endpoint_map_close(&port->expected);
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
  // A peer accepts only responses from the address to which it sent. A socket bound to all addresses must therefore report the local
  // address.
  if (IN6_IS_ADDR_UNSPECIFIED(&bound.ip) || (port->family == AF_INET && address.v4.sin_addr.s_addr == INADDR_ANY)) local_address_wanted(port->socket, port->family);
  int nothing = 0;
  port->can_segment = setsockopt(port->socket, SOL_UDP, UDP_SEGMENT, &nothing, sizeof nothing) == 0;
  if (uv_poll_init(port->loop, &port->poll, port->socket) != 0) return false;
  uv_timer_init(port->loop, &port->timer);
  uv_timer_init(port->loop, &port->room_timer);
  uv_unref((uv_handle_t *)&port->timer);
  uv_unref((uv_handle_t *)&port->room_timer);
  port->open_handles = 3;
  port->poll.data = port->timer.data = port->room_timer.data = port;
  watch_socket(port);
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
  if (!port->queue || !port->buffers || !dtls_identity_open(&port->identity) || !source_limit_open(&port->failures_of_source) ||
      !early_hellos_open(&port->early_hellos) || !asked_open(&port->asked)) {
    free_port(port);
    return NULL;
  }
  port->socket = udp_socket_open(ip, number, &port->family);
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
  uv_timer_stop(&port->room_timer);
  close(port->socket);
  uv_close((uv_handle_t *)&port->poll, on_handle_closed);
  uv_close((uv_handle_t *)&port->timer, on_handle_closed);
  uv_close((uv_handle_t *)&port->room_timer, on_handle_closed);
}
