/* Functions of the reference servers in C: exit with the system's error, and listen on loopback. */
#ifndef BENCH_BARE_LISTEN_H
#define BENCH_BARE_LISTEN_H
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

static void fail(const char* what) {
  perror(what);
  exit(1);
}

static int listen_on(int port) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(fd, (struct sockaddr*)&address, sizeof address) || listen(fd, 1024)) fail("listen");
  return fd;
}

#endif
