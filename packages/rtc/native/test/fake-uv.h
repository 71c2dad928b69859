// The part of libuv that a port uses, with a clock and a loop that the test controls.
#ifndef FAKE_UV_H
#define FAKE_UV_H
#include <stdbool.h>
#include <uv.h>

// The events that the port polls its socket for; 0 for none.
extern int fake_uv_watched;
uv_loop_t *fake_uv_loop(void);
// Advances the clock and runs the timers that are due.
void fake_uv_advance(uint64_t milliseconds);
// Reports the socket as readable or writable.
void fake_uv_poll(int events);
bool fake_uv_has_timer(uint64_t within_ms);

#endif
