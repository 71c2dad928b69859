/*
 * hls-serve - a minimal HLS server. Its CPU time is a lower bound for full servers. One thread with epoll serves the
 * files of one folder over HTTP/1.1 with keep-alive. sendfile(2) sends each file from the page cache. There are no
 * sessions, rules or statistics. Only one stream is served.
 *
 *   gcc -O2 -Wall -o hls-serve hls-serve.c
 *   ./hls-serve <http port> <folder> <feed command ...>
 *
 * The feed is a child process that writes the playlist and its segments to the folder (hls-feed.ts).
 */
#define _GNU_SOURCE
#include "listen.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_FD = 65536, MAX_REQUEST = 8192, MAX_NAME = 128 };

/* The open file of each connection; -1 while the connection waits for a request. */
static int files[MAX_FD];
static off_t offsets[MAX_FD], sizes[MAX_FD];
static int folder, poll_fd;

static void watch(int fd, int operation, uint32_t events) {
  struct epoll_event wanted = {.events = events, .data.fd = fd};
  if (epoll_ctl(poll_fd, operation, fd, &wanted)) fail("epoll_ctl");
}

static void end_file(int fd) {
  if (files[fd] >= 0) close(files[fd]);
  files[fd] = -1;
}

static void leave(int fd) {
  end_file(fd);
  close(fd);
}

static void start_feed(char** command) {
  pid_t child = fork();
  if (child < 0) fail("fork");
  if (child > 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  execv(command[0], command);
  fail(command[0]);
}

/* Sends as much as the socket accepts. epoll calls this function again when the socket is writable. */
static void send_file(int fd, int is_waiting) {
  while (offsets[fd] < sizes[fd]) {
    ssize_t sent = sendfile(fd, files[fd], &offsets[fd], sizes[fd] - offsets[fd]);
    if (sent > 0) continue;
    if (sent < 0 && errno == EAGAIN) {
      if (!is_waiting) watch(fd, EPOLL_CTL_MOD, EPOLLOUT);
      return;
    }
    return leave(fd);
  }
  end_file(fd);
  if (is_waiting) watch(fd, EPOLL_CTL_MOD, EPOLLIN);
}

/* The load tool waits for each response before the next request, so one read returns one complete request. */
static void take_request(int fd) {
  char request[MAX_REQUEST], name[MAX_NAME], head[256];
  ssize_t got = read(fd, request, sizeof request - 1);
  if (got <= 0) return leave(fd);
  request[got] = 0;
  if (sscanf(request, "GET /live/%127[a-z0-9._-]", name) != 1) return leave(fd);
  struct stat found;
  int file = openat(folder, name, O_RDONLY | O_CLOEXEC);
  if (file < 0 || fstat(file, &found)) {
    if (file >= 0) close(file);
    static const char missing[] = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
    if (send(fd, missing, sizeof missing - 1, MSG_NOSIGNAL) < 0) leave(fd);
    return;
  }
  const char* type = strstr(name, ".m3u8") ? "application/vnd.apple.mpegurl" : "video/mp2t";
  int length = snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %lld\r\n\r\n", type,
                        (long long)found.st_size);
  files[fd] = file;
  offsets[fd] = 0;
  sizes[fd] = found.st_size;
  if (send(fd, head, length, MSG_NOSIGNAL | MSG_MORE) != length) return leave(fd);
  send_file(fd, 0);
}

static void take_viewers(int listener) {
  for (int fd, on = 1; (fd = accept4(listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;) {
    if (fd >= MAX_FD) {
      close(fd);
      continue;
    }
    files[fd] = -1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    watch(fd, EPOLL_CTL_ADD, EPOLLIN);
  }
}

int main(int count, char** arguments) {
  if (count < 4) {
    fprintf(stderr, "usage: hls-serve <http port> <folder> <feed command ...>\n");
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  poll_fd = epoll_create1(EPOLL_CLOEXEC);
  folder = open(arguments[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) fail(arguments[2]);
  int listener = listen_on(atoi(arguments[1]));
  start_feed(arguments + 3);
  watch(listener, EPOLL_CTL_ADD, EPOLLIN);
  for (;;) {
    struct epoll_event events[256];
    int ready = epoll_wait(poll_fd, events, 256, -1);
    if (ready < 0 && errno != EINTR) fail("epoll_wait");
    for (int i = 0; i < ready; i++) {
      int fd = events[i].data.fd;
      if (fd == listener) take_viewers(fd);
      else if (files[fd] >= 0) send_file(fd, 1);
      else take_request(fd);
    }
  }
}
