/*
 * apiload - keep-alive HTTP load on one API call (one thread, epoll).
 * Each connection sends its next request when the last response is complete: nothing is pipelined.
 *
 *   apiload -c 32 -t 10 -a TOKEN -b '{}' http://127.0.0.1:28080/terraform/v1/mgmt/status
 *
 * Prints WINDOW_START / WINDOW_END (after one second of warm-up) and "RESULT {json}": requests per second, latency from
 * writing the request to the last byte of the response, responses other than 200, interrupted connections.  Loopback
 * only.
 */
#define _GNU_SOURCE
#include "common.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ANSWER_MAX = 64 * 1024, CONNECTIONS_MAX = 1000, SECONDS_MAX = 600, WARM_UP_US = 1000000 };

struct conn {
  int fd, got;
  uint64_t sent_at;
  char answer[ANSWER_MAX + 1];
};

static struct vec latency;
static uint64_t answers, not_ok, broken;
static int in_window, stop, ep;
static char request[8192];
static int request_size;
static struct sockaddr_in address;
static char first_error[200];

static void on_sig(int s) {
  (void)s;
  stop = 1;
}

static void send_request(struct conn* c) {
  c->got = 0;
  c->sent_at = now_us();
  if (send(c->fd, request, request_size, MSG_NOSIGNAL) != request_size) die("short write of a request");
}

static void open_conn(struct conn* c) {
  int one = 1;
  struct epoll_event ev = {.events = EPOLLIN, .data.ptr = c};
  c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (c->fd < 0 || connect(c->fd, (struct sockaddr*)&address, sizeof address) < 0) die("cannot connect");
  setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  fcntl(c->fd, F_SETFL, O_NONBLOCK);
  epoll_ctl(ep, EPOLL_CTL_ADD, c->fd, &ev);
  send_request(c);
}

/* Size of the whole response, bytes; 0 until its head has arrived. */
static int answer_size(const struct conn* c) {
  char *end = strstr(c->answer, "\r\n\r\n"), *length = strcasestr(c->answer, "\ncontent-length:");
  if (!end) return 0;
  if (!length || length > end) die("a response has no Content-Length: %.200s", c->answer);
  return (int)(end + 4 - c->answer) + atoi(length + 16);
}

static void on_readable(struct conn* c) {
  ssize_t n = recv(c->fd, c->answer + c->got, ANSWER_MAX - c->got, 0);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) {
    broken++;
    close(c->fd);
    open_conn(c);
    return;
  }
  c->got += n;
  c->answer[c->got] = 0;
  int size = answer_size(c);
  if (!size || c->got < size) {
    if (c->got == ANSWER_MAX) die("a response has more than %d bytes", ANSWER_MAX);
    return;
  }
  if (in_window) {
    answers++;
    push(&latency, now_us() - c->sent_at);
  }
  if (strncmp(c->answer + 8, " 200", 4)) {
    not_ok++;
    if (!*first_error) snprintf(first_error, sizeof first_error, "%.12s", c->answer);
  }
  send_request(c);
}

static void parse_url(const char* url, const char* token, const char* body) {
  char host[128] = "", port[8] = "80", path[1024] = "/", authorization[2048] = "";
  if (sscanf(url, "http://%127[^:/]:%7[0-9]%1023s", host, port, path) < 2) die("url: http://127.0.0.1:port/path");
  address = loopback_address(host, port);
  if (*token) snprintf(authorization, sizeof authorization, "Authorization: Bearer %s\r\n", token);
  request_size = snprintf(request, sizeof request,
                          "POST %s HTTP/1.1\r\nHost: %s:%s\r\n%sContent-Type: application/json\r\n"
                          "Content-Length: %zu\r\n\r\n%s",
                          path, host, port, authorization, strlen(body), body);
}

int main(int argc, char** argv) {
  int option, connections = 32;
  double seconds = 10;
  const char *token = "", *body = "{}";
  while ((option = getopt(argc, argv, "c:t:a:b:")) != -1) {
    if (option == 'c')
      connections = atoi(optarg);
    else if (option == 't')
      seconds = atof(optarg);
    else if (option == 'a')
      token = optarg;
    else if (option == 'b')
      body = optarg;
    else
      die("see the head of apiload.c");
  }
  if (optind != argc - 1) die("one url, please");
  if (connections < 1 || connections > CONNECTIONS_MAX || seconds <= 0 || seconds > SECONDS_MAX) die("bad -c or -t");
  parse_url(argv[optind], token, body);
  signal(SIGTERM, on_sig);
  signal(SIGINT, on_sig);
  setvbuf(stdout, NULL, _IOLBF, 0);
  ep = epoll_create1(EPOLL_CLOEXEC);
  struct conn* conns = calloc(connections, sizeof *conns);
  if (!conns) die("out of memory");
  for (int i = 0; i < connections; i++) open_conn(&conns[i]);

  uint64_t start = now_us() + WARM_UP_US, end = start + (uint64_t)(seconds * 1e6);
  double cpu = 0;
  for (uint64_t now = 0; !stop && now < end; now = now_us()) {
    if (!in_window && now >= start) {
      in_window = 1;
      start = now;
      cpu = cpu_self();
      printf("WINDOW_START\n");
    }
    struct epoll_event events[64];
    int n = epoll_wait(ep, events, 64, 10);
    for (int i = 0; i < n; i++) on_readable(events[i].data.ptr);
  }
  printf("WINDOW_END\n");
  double secs = (now_us() - start) / 1e6;
  printf(
      "RESULT "
      "{\"connections\":%d,\"win_secs\":%.3f,\"answers\":%llu,\"per_second\":%.1f,\"not_ok\":%llu,\"broken\":%llu,"
      "\"cpu\":%.3f,\"first_error\":\"%s\"",
      connections, secs, (unsigned long long)answers, answers / secs, (unsigned long long)not_ok,
      (unsigned long long)broken, cpu_self() - cpu, first_error);
  put_vec("latency", &latency);
  printf("}\n");
  return 0;
}
