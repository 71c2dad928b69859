// JavaScript interface of ports, UDP sockets and free memory. The handle of a port is an object of this addon; functions of a port take it
// as first argument. One call reports all events of a wakeup in three flat lists: checks and responses [datagram, ip, port, path, …],
// events [session, 'connected' | 'closed', …], media [session, packet, …].
#define _GNU_SOURCE // in6_pktinfo
#include "port.h"
#include "program-pages.h"
#include "runtime.h"
#include "udp-socket.h"
#include <errno.h>
#include <malloc.h>
#include <node_api.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { max_arguments = 6, max_hash_name_bytes = 32, max_datagrams = 64 };

// Distinguishes handles of this addon from objects of other addons.
static const napi_type_tag handle_tag = {0x8d1f6a5e2b7c4930, 0xa47e90c3d5b2168f};

// Lists of events to report to JavaScript at the end of the current wakeup.
struct gathering {
  bool is_open;
  napi_handle_scope scope;
  napi_value checks, events, media;
  uint32_t check_count, event_count, media_count;
};

struct handle {
  napi_env env;
  // JavaScript objects that refer to this port: the handle, and functions that send.
  size_t holders;
  napi_ref listener;
  napi_async_context context;
  struct port *port;
  struct gathering gathering;
};

// --- Reporting events -------------------------------------------------------------------------------------------------------

static void open_gathering(struct handle *handle) {
  struct gathering *gathering = &handle->gathering;
  if (gathering->is_open) return;
  memset(gathering, 0, sizeof *gathering);
  napi_open_handle_scope(handle->env, &gathering->scope);
  napi_create_array(handle->env, &gathering->checks);
  napi_create_array(handle->env, &gathering->events);
  napi_create_array(handle->env, &gathering->media);
  gathering->is_open = true;
}

static void add_number(napi_env env, napi_value list, uint32_t *count, uint32_t number) {
  napi_value value;
  if (napi_create_uint32(env, number, &value) == napi_ok) napi_set_element(env, list, (*count)++, value);
}

static void add_text(napi_env env, napi_value list, uint32_t *count, const char *text) {
  napi_value value;
  if (napi_create_string_latin1(env, text, NAPI_AUTO_LENGTH, &value) == napi_ok) napi_set_element(env, list, (*count)++, value);
}

static void add_bytes(napi_env env, napi_value list, uint32_t *count, const uint8_t *bytes, size_t length) {
  napi_value value;
  if (napi_create_buffer_copy(env, length, bytes, NULL, &value) == napi_ok) napi_set_element(env, list, (*count)++, value);
}

// JavaScript does not interpret the path (the addresses of both sides), and returns the bytes unchanged.
static void on_stun(void *owner, const uint8_t *datagram, size_t length, const struct path *from) {
  struct handle *handle = owner;
  struct gathering *gathering = &handle->gathering;
  char ip[INET6_ADDRSTRLEN];
  open_gathering(handle);
  endpoint_text(&from->remote, ip);
  add_bytes(handle->env, gathering->checks, &gathering->check_count, datagram, length);
  add_text(handle->env, gathering->checks, &gathering->check_count, ip);
  add_number(handle->env, gathering->checks, &gathering->check_count, from->remote.port);
  add_bytes(handle->env, gathering->checks, &gathering->check_count, (const uint8_t *)from, sizeof *from);
}

static void on_event(void *owner, uint32_t session, enum port_event event) {
  struct handle *handle = owner;
  struct gathering *gathering = &handle->gathering;
  open_gathering(handle);
  add_number(handle->env, gathering->events, &gathering->event_count, session);
  add_text(handle->env, gathering->events, &gathering->event_count, event == PORT_CONNECTED ? "connected" : "closed");
}

static void on_media(void *owner, uint32_t session, const uint8_t *packet, size_t length) {
  struct handle *handle = owner;
  struct gathering *gathering = &handle->gathering;
  open_gathering(handle);
  add_number(handle->env, gathering->media, &gathering->media_count, session);
  add_bytes(handle->env, gathering->media, &gathering->media_count, packet, length);
}

static void on_end(void *owner) {
  struct handle *handle = owner;
  struct gathering *gathering = &handle->gathering;
  if (!gathering->is_open) return;
  gathering->is_open = false;
  napi_env env = handle->env;
  napi_handle_scope scope = gathering->scope;
  napi_value receiver, listener, arguments[] = {gathering->checks, gathering->events, gathering->media};
  // The listener may close the port, so the port must not be used after this call.
  if (handle->listener && napi_get_global(env, &receiver) == napi_ok && napi_get_reference_value(env, handle->listener, &listener) == napi_ok &&
      napi_make_callback(env, handle->context, receiver, listener, 3, arguments, NULL) == napi_pending_exception) {
    napi_value error;
    if (napi_get_and_clear_last_exception(env, &error) == napi_ok) napi_fatal_exception(env, error);
  }
  napi_close_handle_scope(env, scope);
}

// --- Arguments --------------------------------------------------------------------------------------------------------------

static napi_value refuse(napi_env env, const char *message) {
  bool is_pending = false;
  if (napi_is_exception_pending(env, &is_pending) == napi_ok && !is_pending) napi_throw_type_error(env, NULL, message);
  return NULL;
}

static bool take_arguments(napi_env env, napi_callback_info info, size_t wanted, napi_value *arguments) {
  size_t count = max_arguments;
  return napi_get_cb_info(env, info, &count, arguments, NULL, NULL) == napi_ok && count >= wanted;
}

// Returns NULL for a value that is not a handle of this addon.
static struct handle *any_handle_of(napi_env env, napi_value value) {
  void *handle = NULL;
  bool is_ours = false;
  napi_valuetype type;
  if (napi_typeof(env, value, &type) != napi_ok || type != napi_external || napi_check_object_type_tag(env, value, &handle_tag, &is_ours) != napi_ok ||
      !is_ours || napi_get_value_external(env, value, &handle) != napi_ok)
    return NULL;
  return handle;
}

// Returns NULL after the port was closed, and in the cases of `any_handle_of`.
static struct handle *handle_of(napi_env env, napi_value value) {
  struct handle *handle = any_handle_of(env, value);
  return handle && handle->port ? handle : NULL;
}

static bool take_bytes(napi_env env, napi_value value, uint8_t **bytes, size_t *length) {
  bool is_buffer = false;
  return napi_is_buffer(env, value, &is_buffer) == napi_ok && is_buffer && napi_get_buffer_info(env, value, (void **)bytes, length) == napi_ok;
}

static bool take_path(napi_env env, napi_value value, struct path *path) {
  uint8_t *bytes;
  size_t length;
  if (!take_bytes(env, value, &bytes, &length) || length != sizeof *path) return false;
  memcpy(path, bytes, sizeof *path);
  return true;
}

static napi_value number_value(napi_env env, double number) {
  napi_value value;
  return napi_create_double(env, number, &value) == napi_ok ? value : NULL;
}

// --- Functions --------------------------------------------------------------------------------------------------------------

static void close_handle(struct handle *handle) {
  if (!handle->port) return;
  port_close(handle->port);
  handle->port = NULL;
  napi_delete_reference(handle->env, handle->listener);
  handle->listener = NULL;
  napi_async_destroy(handle->env, handle->context);
}

// The process or worker ends without having closed the port.
static void on_environment_end(void *data) { close_handle(data); }

static void on_collected(napi_env env, void *data, void *hint) {
  (void)hint;
  struct handle *handle = data;
  if (--handle->holders > 0) return;
  napi_remove_env_cleanup_hook(env, on_environment_end, handle);
  close_handle(handle);
  free(handle);
}

static napi_value throw_errno(napi_env env, int error) {
  napi_value message, exception, number;
  if (napi_create_string_utf8(env, strerror(error), NAPI_AUTO_LENGTH, &message) == napi_ok && napi_create_error(env, NULL, message, &exception) == napi_ok &&
      napi_create_int32(env, -error, &number) == napi_ok && napi_set_named_property(env, exception, "errno", number) == napi_ok)
    napi_throw(env, exception);
  return NULL;
}

// open(ip: string, port, listener): the handle. An empty ip means all addresses. Throws an error with `errno` when the port cannot be
// bound.
static napi_value open_function(napi_env env, napi_callback_info info) {
  napi_value arguments[max_arguments], external = NULL, name;
  char ip[INET6_ADDRSTRLEN];
  size_t length;
  uint32_t number;
  uv_loop_t *loop;
  napi_valuetype listener_type;
  if (!take_arguments(env, info, 3, arguments) || napi_typeof(env, arguments[2], &listener_type) != napi_ok || listener_type != napi_function ||
      napi_get_value_string_latin1(env, arguments[0], ip, sizeof ip, &length) != napi_ok ||
      napi_get_value_uint32(env, arguments[1], &number) != napi_ok || number > UINT16_MAX || napi_get_uv_event_loop(env, &loop) != napi_ok)
    return refuse(env, "open(ip, port, listener)");
  struct handle *handle = calloc(1, sizeof *handle);
  if (!handle) return throw_errno(env, ENOMEM);
  handle->env = env;
  handle->holders = 1;
  struct port_events events = {handle, on_stun, on_event, on_media, on_end};
  int error = 0;
  handle->port = port_open(loop, length > 0 ? ip : NULL, (uint16_t)number, &events, &error);
  if (!handle->port) {
    free(handle);
    return throw_errno(env, error);
  }
  if (napi_create_reference(env, arguments[2], 1, &handle->listener) == napi_ok &&
      napi_create_string_latin1(env, "srs-stack-rtc", NAPI_AUTO_LENGTH, &name) == napi_ok &&
      napi_async_init(env, NULL, name, &handle->context) == napi_ok && napi_create_external(env, handle, on_collected, NULL, &external) == napi_ok &&
      napi_type_tag_object(env, external, &handle_tag) == napi_ok) {
    napi_add_env_cleanup_hook(env, on_environment_end, handle);
    return external;
  }
  // Memory is exhausted. If the external object exists, its finalizer frees the handle.
  bool has_object = external != NULL;
  port_close(handle->port);
  handle->port = NULL;
  if (handle->listener) napi_delete_reference(env, handle->listener);
  handle->listener = NULL;
  if (handle->context) napi_async_destroy(env, handle->context);
  if (!has_object) free(handle);
  return refuse(env, "no JavaScript handle could be created for the UDP port");
}

// port(handle): number
static napi_value port_function(napi_env env, napi_callback_info info) {
  napi_value arguments[max_arguments];
  struct handle *handle = take_arguments(env, info, 1, arguments) ? handle_of(env, arguments[0]) : NULL;
  return handle ? number_value(env, port_number(handle->port)) : refuse(env, "port(handle)");
}

// fingerprint(handle): Buffer, SHA-256 of the certificate
static napi_value fingerprint_function(napi_env env, napi_callback_info info) {
  napi_value arguments[max_arguments], bytes;
  struct handle *handle = take_arguments(env, info, 1, arguments) ? handle_of(env, arguments[0]) : NULL;
  if (!handle || napi_create_buffer_copy(env, DTLS_FINGERPRINT_BYTES, port_fingerprint(handle->port), NULL, &bytes) != napi_ok)
    return refuse(env, "fingerprint(handle)");
  return bytes;
}

// openSession(handle, isServer, hash: 'sha-256' …, digests: Buffer of one or more, ufrag, password): session; 0 if it cannot be opened
static napi_value open_session_function(napi_env env, napi_callback_info info) {
  static const struct {
    const char *name;
    const EVP_MD *(*hash)(void);
  } hashes[] = {{"sha-256", EVP_sha256}, {"sha-384", EVP_sha384}, {"sha-512", EVP_sha512}};
  napi_value arguments[max_arguments];
  struct dtls_peer_certificate peer = {0};
  char name[max_hash_name_bytes];
  // One extra byte is for the terminating zero, one detects a text that is too long.
  char ufrag[PORT_MAX_NAME_BYTES + 2], password[PORT_MAX_PASSWORD_BYTES + 2];
  struct port_credentials credentials = {.name = ufrag, .password = (const uint8_t *)password};
  size_t length;
  bool is_server;
  uint8_t *digests;
  struct handle *handle = take_arguments(env, info, 6, arguments) ? handle_of(env, arguments[0]) : NULL;
  if (!handle || napi_get_value_bool(env, arguments[1], &is_server) != napi_ok ||
      napi_get_value_string_latin1(env, arguments[2], name, sizeof name, &length) != napi_ok ||
      !take_bytes(env, arguments[3], &digests, &peer.digest_bytes) || peer.digest_bytes > sizeof peer.digests ||
      napi_get_value_string_latin1(env, arguments[4], ufrag, sizeof ufrag, &credentials.name_length) != napi_ok ||
      napi_get_value_string_latin1(env, arguments[5], password, sizeof password, &credentials.password_length) != napi_ok ||
      credentials.name_length > PORT_MAX_NAME_BYTES || credentials.password_length > PORT_MAX_PASSWORD_BYTES)
    return refuse(env, "openSession(handle, isServer, hash, digests, ufrag, password)");
  for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++)
    if (strcmp(name, hashes[i].name) == 0) peer.hash = hashes[i].hash();
  if (!peer.hash) return refuse(env, "the fingerprint uses an unsupported hash function");
  if (peer.digest_bytes > 0) memcpy(peer.digests, digests, peer.digest_bytes);
  uint32_t session = port_open_session(handle->port, is_server, &peer, &credentials);
  OPENSSL_cleanse(password, sizeof password);
  return number_value(env, session);
}

// closeSession(handle, session)
static napi_value close_session_function(napi_env env, napi_callback_info info) {
  napi_value arguments[max_arguments];
  uint32_t session;
  struct handle *handle = take_arguments(env, info, 2, arguments) ? handle_of(env, arguments[0]) : NULL;
  if (!handle || napi_get_value_uint32(env, arguments[1], &session) != napi_ok) return refuse(env, "closeSession(handle, session)");
  port_close_session(handle->port, session);
  return NULL;
}

// reach(handle, session, path, isNominated): a value of `enum port_reached`
static napi_value reach_function(napi_env env, napi_callback_info info) {
  napi_value arguments[max_arguments];
  uint32_t session;
  struct path at;
  bool is_nominated;
  struct handle *handle = take_arguments(env, info, 4, arguments) ? handle_of(env, arguments[0]) : NULL;
  if (!handle || napi_get_value_uint32(env, arguments[1], &session) != napi_ok || !take_path(env, arguments[2], &at) ||
      napi_get_value_bool(env, arguments[3], &is_nominated) != napi_ok)
    return refuse(env, "reach(handle, session, path, isNominated)");
  return number_value(env, port_reach(handle->port, session, &at, is_nominated));
}

// move(handle, session, path)
static napi_value move_function(napi_env env, napi_callback_info info) {
  napi_value arguments[max_arguments];
  uint32_t session;
  struct path to;
  struct handle *handle = take_arguments(env, info, 3, arguments) ? handle_of(env, arguments[0]) : NULL;
  if (!handle || napi_get_value_uint32(env, arguments[1], &session) != napi_ok || !take_path(env, arguments[2], &to))
    return refuse(env, "move(handle, session, path)");
  port_move(handle->port, session, &to);
  return NULL;
}

// expect(handle, session, path)
static napi_value expect_function(napi_env env, napi_callback_info info) {
  napi_value arguments[max_arguments];
  uint32_t session;
  struct path at;
  struct handle *handle = take_arguments(env, info, 3, arguments) ? handle_of(env, arguments[0]) : NULL;
  if (!handle || napi_get_value_uint32(env, arguments[1], &session) != napi_ok || !take_path(env, arguments[2], &at))
    return refuse(env, "expect(handle, session, path)");
  port_expect(handle->port, session, &at);
  return NULL;
}

// start(handle, session)
static napi_value start_function(napi_env env, napi_callback_info info) {
  napi_value arguments[max_arguments];
  uint32_t session;
  struct handle *handle = take_arguments(env, info, 2, arguments) ? handle_of(env, arguments[0]) : NULL;
  if (!handle || napi_get_value_uint32(env, arguments[1], &session) != napi_ok) return refuse(env, "start(handle, session)");
  port_start(handle->port, session);
  return NULL;
}

// path(ip, port): the path to this address from a local address that the kernel chooses, for a port that sends the first check
static napi_value path_function(napi_env env, napi_callback_info info) {
  napi_value arguments[max_arguments], bytes;
  char ip[INET6_ADDRSTRLEN];
  size_t length;
  uint32_t number;
  struct path to;
  memset(&to, 0, sizeof to);
  if (!take_arguments(env, info, 2, arguments) || napi_get_value_string_latin1(env, arguments[0], ip, sizeof ip, &length) != napi_ok ||
      napi_get_value_uint32(env, arguments[1], &number) != napi_ok || number > UINT16_MAX || !endpoint_parse(ip, (uint16_t)number, &to.remote) ||
      napi_create_buffer_copy(env, sizeof to, &to, NULL, &bytes) != napi_ok)
    return refuse(env, "path(ip, port)");
  return bytes;
}

// sendPlain(handle, datagram, path)
static napi_value send_plain_function(napi_env env, napi_callback_info info) {
  napi_value arguments[max_arguments];
  struct path to;
  uint8_t *bytes;
  size_t length;
  struct handle *handle = take_arguments(env, info, 3, arguments) ? handle_of(env, arguments[0]) : NULL;
  if (!handle || !take_bytes(env, arguments[1], &bytes, &length) || !take_path(env, arguments[2], &to))
    return refuse(env, "sendPlain(handle, datagram, path)");
  port_send_plain(handle->port, &to, bytes, length);
  return NULL;
}

// The function that `sender` returns: (session, packets: Buffer[]): number of queued packets, counted from the first. The handle is bound
// to the function, because an argument is slower, and every viewer and frame needs a call.
static napi_value send_function(napi_env env, napi_callback_info info) {
  napi_value arguments[max_arguments], packet;
  size_t count = max_arguments;
  void *data = NULL;
  uint32_t session, packets, sent = 0;
  uint8_t *bytes;
  size_t length;
  if (napi_get_cb_info(env, info, &count, arguments, NULL, &data) != napi_ok || count < 2 || !((struct handle *)data)->port ||
      napi_get_value_uint32(env, arguments[0], &session) != napi_ok || napi_get_array_length(env, arguments[1], &packets) != napi_ok)
    return refuse(env, "send(session, packets)");
  for (; sent < packets; sent++) {
    if (napi_get_element(env, arguments[1], sent, &packet) != napi_ok || !take_bytes(env, packet, &bytes, &length))
      return refuse(env, "send(session, packets)");
    if (!port_send(((struct handle *)data)->port, session, bytes, length)) break;
  }
  return number_value(env, sent);
}

// sender(handle): the function that sends
static napi_value sender_function(napi_env env, napi_callback_info info) {
  napi_value arguments[max_arguments], function;
  struct handle *handle = take_arguments(env, info, 1, arguments) ? handle_of(env, arguments[0]) : NULL;
  if (!handle) return refuse(env, "sender(handle)");
  if (napi_create_function(env, "send", NAPI_AUTO_LENGTH, send_function, handle, &function) != napi_ok ||
      napi_add_finalizer(env, function, handle, on_collected, NULL, NULL) != napi_ok)
    return refuse(env, "no memory");
  handle->holders++;
  return function;
}

// flush(handle)
static napi_value flush_function(napi_env env, napi_callback_info info) {
  napi_value arguments[max_arguments];
  struct handle *handle = take_arguments(env, info, 1, arguments) ? handle_of(env, arguments[0]) : NULL;
  if (!handle) return refuse(env, "flush(handle)");
  port_flush(handle->port);
  return NULL;
}

// openDatagrams(ip: string, port): { fd, isIpv6 } of a bound socket. The caller closes fd. An empty ip means all addresses. Throws like
// `open`.
static napi_value open_datagrams_function(napi_env env, napi_callback_info info) {
  napi_value arguments[max_arguments], object, is_ipv6;
  char ip[INET6_ADDRSTRLEN];
  size_t length;
  uint32_t number;
  sa_family_t family;
  if (!take_arguments(env, info, 2, arguments) || napi_get_value_string_latin1(env, arguments[0], ip, sizeof ip, &length) != napi_ok ||
      napi_get_value_uint32(env, arguments[1], &number) != napi_ok || number > UINT16_MAX)
    return refuse(env, "openDatagrams(ip, port)");
  int opened = udp_socket_open(length > 0 ? ip : NULL, (uint16_t)number, &family);
  if (opened < 0) return throw_errno(env, errno);
  if (napi_create_object(env, &object) != napi_ok || napi_get_boolean(env, family == AF_INET6, &is_ipv6) != napi_ok ||
      napi_set_named_property(env, object, "isIpv6", is_ipv6) != napi_ok ||
      napi_set_named_property(env, object, "fd", number_value(env, opened)) != napi_ok) {
    close(opened);
    return refuse(env, "no memory");
  }
  return object;
}

// target(ip, port, isIpv6): Buffer, the destination address for an IPv4 or IPv6 socket
static napi_value target_function(napi_env env, napi_callback_info info) {
  napi_value arguments[max_arguments], bytes;
  char ip[INET6_ADDRSTRLEN];
  size_t length;
  uint32_t number;
  bool is_ipv6;
  struct endpoint endpoint;
  struct udp_target target;
  memset(&target, 0, sizeof target);
  if (!take_arguments(env, info, 3, arguments) || napi_get_value_string_latin1(env, arguments[0], ip, sizeof ip, &length) != napi_ok ||
      napi_get_value_uint32(env, arguments[1], &number) != napi_ok || number > UINT16_MAX || napi_get_value_bool(env, arguments[2], &is_ipv6) != napi_ok ||
      !endpoint_parse(ip, (uint16_t)number, &endpoint) ||
      (target.bytes = endpoint_address(&endpoint, is_ipv6 ? AF_INET6 : AF_INET, &target.address)) == 0 ||
      napi_create_buffer_copy(env, sizeof target, &target, NULL, &bytes) != napi_ok)
    return refuse(env, "target(ip, port, isIpv6)");
  return bytes;
}

// sendDatagrams(fd, target, datagrams: Buffer[]): number of sent or lost datagrams, counted from the first. If datagrams remain, the
// kernel's queue is full, and the caller must pass the remaining datagrams again later.
static napi_value send_datagrams_function(napi_env env, napi_callback_info info) {
  napi_value arguments[max_arguments], bytes;
  struct datagram datagrams[max_datagrams];
  struct udp_target target;
  uint8_t *copied;
  size_t length;
  int32_t number;
  uint32_t count;
  if (!take_arguments(env, info, 3, arguments) || napi_get_value_int32(env, arguments[0], &number) != napi_ok ||
      !take_bytes(env, arguments[1], &copied, &length) || length != sizeof target || napi_get_array_length(env, arguments[2], &count) != napi_ok ||
      count > max_datagrams)
    return refuse(env, "sendDatagrams(fd, target, datagrams)");
  memcpy(&target, copied, sizeof target);
  sa_family_t family = target.address.base.sa_family;
  if (!(family == AF_INET && target.bytes == sizeof target.address.v4) && !(family == AF_INET6 && target.bytes == sizeof target.address.v6))
    return refuse(env, "the target is not an IPv4 or IPv6 address");
  for (uint32_t i = 0; i < count; i++) {
    uint8_t *at;
    if (napi_get_element(env, arguments[2], i, &bytes) != napi_ok || !take_bytes(env, bytes, &at, &datagrams[i].length))
      return refuse(env, "sendDatagrams(fd, target, datagrams)");
    datagrams[i].bytes = at;
  }
  return number_value(env, (double)udp_socket_send(number, &target, datagrams, count));
}

// counters(handle): { received, ignored, sent, sendCalls, dropped }
static napi_value counters_function(napi_env env, napi_callback_info info) {
  napi_value arguments[max_arguments], object;
  struct handle *handle = take_arguments(env, info, 1, arguments) ? handle_of(env, arguments[0]) : NULL;
  if (!handle || napi_create_object(env, &object) != napi_ok) return refuse(env, "counters(handle)");
  const struct port_counters *counters = port_counters(handle->port);
  napi_set_named_property(env, object, "received", number_value(env, (double)counters->received));
  napi_set_named_property(env, object, "ignored", number_value(env, (double)counters->ignored));
  napi_set_named_property(env, object, "sent", number_value(env, (double)counters->sent));
  napi_set_named_property(env, object, "sendCalls", number_value(env, (double)counters->send_calls));
  napi_set_named_property(env, object, "dropped", number_value(env, (double)counters->dropped));
  return object;
}

// close(handle). Idempotent.
static napi_value close_function(napi_env env, napi_callback_info info) {
  napi_value arguments[max_arguments];
  struct handle *handle = take_arguments(env, info, 1, arguments) ? any_handle_of(env, arguments[0]) : NULL;
  if (!handle) return refuse(env, "close(handle)");
  close_handle(handle);
  return NULL;
}

// Returns NULL when Node and its libraries match those of the build.
static const char *load_problem(napi_env env) {
  uint32_t version = 0;
  if (napi_get_version(env, &version) != napi_ok || version < NAPI_VERSION) return "this Node.js has an older Node-API than the addon requires";
  return runtime_problem();
}

// Returns free pages of malloc to the system, also those between used blocks (malloc_trim(3)), and pages of the program file.
static napi_value return_free_memory_function(napi_env env, napi_callback_info info) {
  (void)env;
  (void)info;
  malloc_trim(0);
  unmap_program_pages();
  return NULL;
}

NAPI_MODULE_INIT() {
  const char *problem = load_problem(env);
  if (problem) {
    napi_throw_error(env, NULL, problem);
    return NULL;
  }
  static const struct {
    const char *name;
    napi_callback function;
  } functions[] = {
      {"open", open_function},
      {"port", port_function},
      {"fingerprint", fingerprint_function},
      {"openSession", open_session_function},
      {"closeSession", close_session_function},
      {"reach", reach_function},
      {"move", move_function},
      {"expect", expect_function},
      {"start", start_function},
      {"path", path_function},
      {"sendPlain", send_plain_function},
      {"sender", sender_function},
      {"flush", flush_function},
      {"openDatagrams", open_datagrams_function},
      {"target", target_function},
      {"sendDatagrams", send_datagrams_function},
      {"counters", counters_function},
      {"returnFreeMemory", return_free_memory_function},
      {"close", close_function},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    napi_value function;
    if (napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].function, NULL, &function) != napi_ok ||
        napi_set_named_property(env, exports, functions[i].name, function) != napi_ok)
      return NULL;
  }
  return exports;
}
