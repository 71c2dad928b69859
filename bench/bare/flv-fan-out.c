/*
 * flv-fan-out - a minimal HTTP-FLV server. Its CPU time is a lower bound for full servers. One thread with epoll serves
 * one stream. A new viewer gets the current GOP. At the end of each merge window, the server writes once to each
 * viewer. The server has no rules and no queues: it disconnects a viewer whose socket buffer is full.
 *
 *   gcc -O2 -Wall -o flv-fan-out flv-fan-out.c
 *   ./flv-fan-out <http port> <merge window, ms; 0: each tag on arrival> <feed command ...>
 *
 * The feed is a child process that writes records to its standard output (flv-feed.ts).
 */
#define _GNU_SOURCE
#include "listen.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { MAX_FD = 65536, BUFFER = 4 * 1024 * 1024, RECORD_HEAD = 5 };
enum { UNUSED, ASKING, PLAYING };
enum { HEAD, KEY };

static const char ANSWER[] =
    "HTTP/1.1 200 OK\r\nContent-Type: video/x-flv\r\nConnection: close\r\n\r\n"
    "FLV\x01\x05\0\0\0\x09\0\0\0";
static char state[MAX_FD];
static int viewers[MAX_FD], viewer_count;
static uint8_t feed[BUFFER], heads[BUFFER], gop[BUFFER], batch[BUFFER];
static size_t feed_length, heads_length, gop_length, batch_length;
static int window_ms;

static void leave(int fd) {
  for (int i = 0; i < viewer_count; i++)
    if (viewers[i] == fd) {
      viewers[i] = viewers[--viewer_count];
      break;
    }
  state[fd] = UNUSED;
  close(fd);
}

static int start_feed(char** command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) fail("pipe2");
  pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(ends[1], 1);
    execv(command[0], command);
    fail(command[0]);
  }
  close(ends[1]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return ends[0];
}

static void append(uint8_t* to, size_t* length, const uint8_t* from, size_t size) {
  if (*length + size > BUFFER) return;
  memcpy(to + *length, from, size);
  *length += size;
}

static void write_batch(void) {
  for (int i = viewer_count - 1; batch_length > 0 && i >= 0; i--)
    if (send(viewers[i], batch, batch_length, MSG_NOSIGNAL) != (ssize_t)batch_length) leave(viewers[i]);
  batch_length = 0;
}

static void take_tag(int kind, const uint8_t* tag, size_t size) {
  if (kind == HEAD) append(heads, &heads_length, tag, size);
  if (kind == KEY) gop_length = 0;
  if (kind != HEAD) append(gop, &gop_length, tag, size);
  append(batch, &batch_length, tag, size);
  if (window_ms == 0) write_batch();
}

static void read_feed(int fd) {
  ssize_t got = read(fd, feed + feed_length, BUFFER - feed_length);
  if (got == 0) exit(0);
  if (got < 0) return;
  feed_length += got;
  size_t at = 0;
  while (feed_length - at >= RECORD_HEAD) {
    uint32_t size;
    memcpy(&size, feed + at, sizeof size);
    size = ntohl(size);
    if (feed_length - at - RECORD_HEAD < size) break;
    take_tag(feed[at + 4], feed + at + RECORD_HEAD, size);
    at += RECORD_HEAD + size;
  }
  memmove(feed, feed + at, feed_length -= at);
}

/* The load tool sends its request in one segment, so one read returns the complete request. */
static void take_request(int fd) {
  static uint8_t first[3 * BUFFER];
  char request[8192];
  size_t length = 0, size = sizeof ANSWER; /* the terminating zero is the last byte of PreviousTagSize0 */
  if (read(fd, request, sizeof request) <= 0) return leave(fd);
  if (state[fd] == PLAYING) return;
  write_batch(); /* before the viewer is added, which gets these tags with the GOP below */
  memcpy(first, ANSWER, size);
  length = size;
  memcpy(first + length, heads, heads_length);
  length += heads_length;
  memcpy(first + length, gop, gop_length);
  length += gop_length;
  if (send(fd, first, length, MSG_NOSIGNAL) != (ssize_t)length) return leave(fd);
  state[fd] = PLAYING;
  viewers[viewer_count++] = fd;
}

static int start_timer(void) {
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  struct timespec each = {.tv_nsec = window_ms * 1000000L};
  struct itimerspec times = {.it_interval = each, .it_value = each};
  if (timer < 0 || timerfd_settime(timer, 0, &times, NULL)) fail("timerfd");
  return timer;
}

int main(int count, char** arguments) {
  if (count < 4) {
    fprintf(stderr, "usage: flv-fan-out <http port> <merge window, ms> <feed command ...>\n");
    return 2;
  }
  window_ms = atoi(arguments[2]);
  int listener = listen_on(atoi(arguments[1])), source = start_feed(arguments + 3), poll = epoll_create1(EPOLL_CLOEXEC);
  int own[] = {listener, source, start_timer()}, timer = own[2];
  for (int i = 0; i < 3; i++) {
    struct epoll_event wanted = {.events = EPOLLIN, .data.fd = own[i]};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, own[i], &wanted)) fail("epoll_ctl");
  }
  for (;;) {
    struct epoll_event events[256];
    int ready = epoll_wait(poll, events, 256, -1);
    if (ready < 0 && errno != EINTR) fail("epoll_wait");
    for (int i = 0; i < ready; i++) {
      int fd = events[i].data.fd;
      uint64_t ticks;
      if (fd == source) read_feed(fd);
      else if (fd == timer) {
        if (read(timer, &ticks, sizeof ticks) > 0) write_batch();
      } else if (fd != listener) take_request(fd);
      else
        for (int viewer, on = 1; (viewer = accept4(listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;) {
          struct epoll_event wanted = {.events = EPOLLIN, .data.fd = viewer};
          if (viewer >= MAX_FD || epoll_ctl(poll, EPOLL_CTL_ADD, viewer, &wanted)) {
            close(viewer);
            continue;
          }
          setsockopt(viewer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
          int bytes = 1 << 20;
          setsockopt(viewer, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
          state[viewer] = ASKING;
        }
    }
  }
}
