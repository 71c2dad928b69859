#include "fake-uv.h"
#include <stddef.h>
#include <sys/time.h>

enum { max_timers = 8 };

struct fake_timer {
  uv_timer_t *timer;
  uv_timer_cb callback;
  uint64_t due_ms;
  uint64_t repeat_ms;
  bool is_active;
};

static uv_loop_t *const loop = (uv_loop_t *)"loop";
static uint64_t now_ms = 1000;
static struct fake_timer timers[max_timers];
static uv_poll_t *polled;
static uv_poll_cb on_polled;
int fake_uv_watched;

uv_loop_t *fake_uv_loop(void) { return loop; }

// Replaces the system clock, which OpenSSL uses for retransmissions.
int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  time->tv_sec = 1000000000 + (time_t)(now_ms / 1000);
  time->tv_usec = (suseconds_t)(now_ms % 1000 * 1000);
  return 0;
}

uint64_t uv_now(const uv_loop_t *unused) { return (void)unused, now_ms; }
void uv_unref(uv_handle_t *unused) { (void)unused; }

void uv_once(uv_once_t *guard, void (*callback)(void)) {
  static uv_once_t *done;
  if (done != guard) callback();
  done = guard;
}

int uv_poll_init(uv_loop_t *unused, uv_poll_t *poll, int socket) {
  (void)unused, (void)socket;
  polled = poll;
  return 0;
}

int uv_poll_start(uv_poll_t *poll, int events, uv_poll_cb callback) {
  polled = poll;
  on_polled = callback;
  fake_uv_watched = events;
  return 0;
}

int uv_poll_stop(uv_poll_t *unused) {
  (void)unused;
  return fake_uv_watched = 0;
}

static struct fake_timer *slot_of(const uv_timer_t *timer) {
  for (size_t i = 0; i < max_timers; i++)
    if (timers[i].timer == timer) return &timers[i];
  return NULL;
}

int uv_timer_init(uv_loop_t *unused, uv_timer_t *timer) {
  (void)unused;
  struct fake_timer *slot = slot_of(NULL);
  if (slot) *slot = (struct fake_timer){.timer = timer};
  return slot ? 0 : UV_ENOMEM;
}

int uv_timer_start(uv_timer_t *timer, uv_timer_cb callback, uint64_t timeout_ms, uint64_t repeat_ms) {
  *slot_of(timer) = (struct fake_timer){timer, callback, now_ms + timeout_ms, repeat_ms, true};
  return 0;
}

int uv_timer_stop(uv_timer_t *timer) {
  slot_of(timer)->is_active = false;
  return 0;
}

void uv_close(uv_handle_t *handle, uv_close_cb callback) {
  struct fake_timer *slot = slot_of((uv_timer_t *)handle);
  if (slot) slot->timer = NULL;
  callback(handle);
}

bool fake_uv_has_timer(uint64_t within_ms) {
  for (size_t i = 0; i < max_timers; i++)
    if (timers[i].timer && timers[i].is_active && timers[i].due_ms <= now_ms + within_ms) return true;
  return false;
}

void fake_uv_advance(uint64_t milliseconds) {
  now_ms += milliseconds;
  for (size_t i = 0; i < max_timers; i++) {
    struct fake_timer *slot = &timers[i];
    if (!slot->timer || !slot->is_active || slot->due_ms > now_ms) continue;
    slot->is_active = slot->repeat_ms > 0;
    slot->due_ms = now_ms + slot->repeat_ms;
    slot->callback(slot->timer);
  }
}

void fake_uv_poll(int events) { on_polled(polled, 0, events); }
