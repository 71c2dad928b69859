/*
 * flv-fan-out - the least that HTTP-FLV costs: one thread, epoll, a GOP for new viewers, each tag written to each viewer
 * on arrival. No rules, no queues (a viewer whose socket is full is closed), one stream.
 *
 *   gcc -O2 -Wall -o flv-fan-out flv-fan-out.c
 *   ./flv-fan-out <http port> <feed command ...>
 *
 * The feed is a child process that writes records to its standard output (flv-feed.ts).
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_FD = 65536, BUFFER = 4 * 1024 * 1024, RECORD_HEAD = 5 };
enum { UNUSED, ASKING, PLAYING };
enum { HEAD, KEY };

static const char ANSWER[] =
    "HTTP/1.1 200 OK\r\nContent-Type: video/x-flv\r\nConnection: close\r\n\r\n"
    "FLV\x01\x05\0\0\0\x09\0\0\0";
static char state[MAX_FD];
static int viewers[MAX_FD], viewer_count;
static uint8_t feed[BUFFER], heads[BUFFER], gop[BUFFER];
static size_t feed_length, heads_length, gop_length;

static void fail(const char* what) {
  perror(what);
  exit(1);
}

static void leave(int fd) {
  for (int i = 0; i < viewer_count; i++)
    if (viewers[i] == fd) {
      viewers[i] = viewers[--viewer_count];
      break;
    }
  state[fd] = UNUSED;
  close(fd);
}

static int listen_on(int port) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), on = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(fd, (struct sockaddr*)&address, sizeof address) || listen(fd, 1024)) fail("listen");
  return fd;
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

static void fan_out(int kind, const uint8_t* tag, size_t size) {
  if (kind == HEAD) append(heads, &heads_length, tag, size);
  if (kind == KEY) gop_length = 0;
  if (kind != HEAD) append(gop, &gop_length, tag, size);
  for (int i = viewer_count - 1; i >= 0; i--)
    if (send(viewers[i], tag, size, MSG_NOSIGNAL) != (ssize_t)size) leave(viewers[i]);
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
    fan_out(feed[at + 4], feed + at + RECORD_HEAD, size);
    at += RECORD_HEAD + size;
  }
  memmove(feed, feed + at, feed_length -= at);
}

/* The load tool sends its request in one segment, so one read is the whole head. */
static void take_request(int fd) {
  static uint8_t first[3 * BUFFER];
  char request[8192];
  size_t length = 0, size = sizeof ANSWER; /* with the final zero: the last byte of PreviousTagSize0 */
  if (read(fd, request, sizeof request) <= 0) return leave(fd);
  if (state[fd] == PLAYING) return;
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

int main(int count, char** arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: flv-fan-out <http port> <feed command ...>\n");
    return 2;
  }
  int listener = listen_on(atoi(arguments[1])), source = start_feed(arguments + 2), poll = epoll_create1(EPOLL_CLOEXEC);
  int own[] = {listener, source};
  for (int i = 0; i < 2; i++) {
    struct epoll_event wanted = {.events = EPOLLIN, .data.fd = own[i]};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, own[i], &wanted)) fail("epoll_ctl");
  }
  for (;;) {
    struct epoll_event events[256];
    int ready = epoll_wait(poll, events, 256, -1);
    if (ready < 0 && errno != EINTR) fail("epoll_wait");
    for (int i = 0; i < ready; i++) {
      int fd = events[i].data.fd;
      if (fd == source) read_feed(fd);
      else if (fd != listener) take_request(fd);
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
