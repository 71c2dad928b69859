// The part of libuv that a port uses. The test controls its clock and loop.
#ifndef FAKE_UV_H
#define FAKE_UV_H
#include <stdbool.h>
#include <uv.h>

// Events for which the port polls its socket; 0: none.
extern int fake_uv_watched;
uv_loop_t *fake_uv_loop(void);
void fake_uv_advance(uint64_t milliseconds);
void fake_uv_poll(int events);
bool fake_uv_has_timer(uint64_t within_ms);

#endif
