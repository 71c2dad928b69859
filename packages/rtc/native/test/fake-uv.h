// The part of libuv that a port uses, with a clock that the test sets and a loop that the test drives.
#ifndef FAKE_UV_H
#define FAKE_UV_H
#include <stdbool.h>
#include <uv.h>

// What the port watches its socket for; 0 when it does not.
extern int fake_uv_watched;
uv_loop_t *fake_uv_loop(void);
// Moves the clock and runs the timers that are due.
void fake_uv_advance(uint64_t milliseconds);
// As if the socket had become readable, or writable.
void fake_uv_poll(int events);
bool fake_uv_has_timer(uint64_t within_ms);

#endif
