/*
 * flvload - HTTP-FLV load, latency and join-time client (one thread, epoll).
 *
 *   gcc -O2 -Wall -o flvload flvload.c
 *   ./flvload -c 500 -t 20 -r 200 http://127.0.0.1:28080/live/s1.flv
 *
 * Modes
 *   load (default)  open -c connections at -r per second, wait -s seconds, then
 *                   measure a window of -t seconds.  Every connection is checked
 *                   (HTTP 200, 'FLV' signature, valid tags) up to its first
 *                   keyframe; after that the bytes are dropped in the kernel
 *                   (MSG_TRUNC).  -k connections (with -p: all) are parsed to the end:
 *                   tags, sequence gaps, latency.  They are spread evenly over all
 *                   connections, because many servers write to viewers in order of
 *                   arrival, so early viewers have a lower latency.
 *   join (-J n)     n joins, one after another, each after a random pause.  A
 *                   connection is closed after a keyframe and a live frame, or
 *                   after -T seconds.
 *
 * Latency: rtmp-pub.ts puts "LSTMP" + 16 hex digits (CLOCK_MONOTONIC, us) + 8 hex
 * digits (sequence) into every video and audio frame; the stamp of srtload and whip-pub also has the slice size.
 * "missing" is the number of frame numbers that did not arrive, "short" the number of truncated frames.
 * Latency is measured only for frames stamped after the request was sent, so frames
 * from the GOP cache of a server are excluded.  Both ends must run on one machine (one clock).
 *
 * Output: one line a second, "WINDOW_START"/"WINDOW_END", and last "RESULT {json}".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include "common.h"

enum { ST_CONNECT, ST_HEADER, ST_FLV, ST_SINK, ST_DEAD };
enum { CK_SIZE, CK_DATA, CK_CRLF, CK_END };
enum { F_HEAD, F_TAG, F_BODY, F_PREV };

#define CAP 192 /* of each tag; holds AUD, SPS, PPS and the stamp */
#define HDRMAX 8192
#define RBUF (256 * 1024)

struct conn {
  int fd, st, parse;
  uint64_t t_req, t_tag, t_key, t_live;
  uint64_t key_age;
  char* hbuf;
  int hlen;
  int chunked, ck, ck_digits;
  uint64_t ck_left;
  int fs;
  uint32_t got, body;
  uint8_t type, hd[16], cap[CAP];
  int64_t seq;
  uint64_t win_bytes;
};

static struct conn* conns;
static int n_conn = 1, n_opened, n_parse = 4, n_join, join_to = 8;
static double win_secs = 10, ramp = 200, settle = 2;
static struct sockaddr_in addr;
static char host[256] = "", path[1024] = "/";
static int ep, stop, in_window;
static uint8_t rbuf[RBUF];

static uint64_t total_bytes, win_bytes, tags, vframes, gaps, missing, shortf, badprev;
static int n_failed, n_http, n_flv, n_disc, n_alive;
static struct vec lat_v, lat_a, v_tag, v_key, v_live, v_age;

static void kill_conn(struct conn* c, int* counter) {
  if (c->st == ST_DEAD) return;
  if (c->st == ST_FLV || c->st == ST_SINK) n_alive--;
  c->st = ST_DEAD;
  close(c->fd);
  c->fd = -1;
  free(c->hbuf);
  c->hbuf = NULL;
  if (counter) (*counter)++;
}

static void on_tag(struct conn* c, uint64_t now) {
  uint64_t ts = 0, seq = 0;
  int stamped = 0, key = 0;
  tags++;
  if (!c->t_tag) {
    c->t_tag = now;
    push(&v_tag, now - c->t_req);
  }
  if (c->type == 9 && c->body > 5 && (c->cap[0] & 15) == 7 && c->cap[1] == 1) {
    vframes++;
    key = c->cap[0] >> 4 == 1;
    size_t have = c->body < CAP ? c->body : CAP;
    uint8_t* m = c->cap + 28; /* where rtmp-pub.ts writes the stamp; servers may insert NALUs before it */
    if (have >= 57 && memcmp(m, "LSTMP", 5)) m = memmem(c->cap, have, "LSTMP", 5);
    if (have >= 57 && m && m + 29 <= c->cap + have) stamped = hexval(m + 5, 16, &ts) && hexval(m + 21, 8, &seq);
    if (stamped && c->parse) {
      uint64_t vcl;
      if (c->seq >= 0 && (int64_t)seq != c->seq + 1) gaps++;
      if (c->seq >= 0 && (int64_t)seq > c->seq + 1) missing += seq - c->seq - 1;
      c->seq = (int64_t)seq;
      /* stamps of srtload and whip-pub contain the size of the slice */
      if (!memcmp(m - 16, "LOADSIZE", 8) && hexval(m - 8, 8, &vcl) && c->body < (m - c->cap) + 34 + vcl) shortf++;
    }
  } else if (c->type == 8 && c->body >= 31 && c->cap[0] >> 4 == 10 && c->cap[1] == 1 &&
             !memcmp(c->cap + 2, "LSTMP", 5)) {
    stamped = hexval(c->cap + 7, 16, &ts);
  }
  if (key && !c->t_key) {
    c->t_key = now;
    push(&v_key, now - c->t_req);
    if (stamped) {
      c->key_age = now > ts ? now - ts : 0;
      push(&v_age, c->key_age);
    }
  }
  if (stamped && ts >= c->t_req && now >= ts) {
    if (!c->t_live && c->type == 9) {
      c->t_live = now;
      push(&v_live, now - c->t_req);
    }
    if (in_window) push(c->type == 9 ? &lat_v : &lat_a, now - ts);
  }
}

static int feed_flv(struct conn* c, const uint8_t* p, size_t n, uint64_t now) {
  while (n) {
    size_t need, k;
    switch (c->fs) {
      case F_HEAD:
        need = 13 - c->got;
        k = n < need ? n : need;
        memcpy(c->hd + c->got, p, k);
        c->got += k, p += k, n -= k;
        if (c->got == 13) {
          if (memcmp(c->hd, "FLV\x01", 4) || c->hd[8] != 9) return 0;
          c->fs = F_TAG, c->got = 0;
        }
        break;
      case F_TAG:
        need = 11 - c->got;
        k = n < need ? n : need;
        memcpy(c->hd + c->got, p, k);
        c->got += k, p += k, n -= k;
        if (c->got == 11) {
          c->type = c->hd[0] & 0x1f;
          if (c->type != 8 && c->type != 9 && c->type != 18) return 0;
          c->body = c->hd[1] << 16 | c->hd[2] << 8 | c->hd[3];
          c->got = 0;
          c->fs = c->body ? F_BODY : F_PREV;
        }
        break;
      case F_BODY:
        need = c->body - c->got;
        k = n < need ? n : need;
        if (c->got < CAP) {
          size_t m = CAP - c->got < k ? CAP - c->got : k;
          memcpy(c->cap + c->got, p, m);
        }
        c->got += k, p += k, n -= k;
        if (c->got == c->body) {
          on_tag(c, now);
          c->fs = F_PREV, c->got = 0;
        }
        break;
      default:
        need = 4 - c->got;
        k = n < need ? n : need;
        memcpy(c->hd + c->got, p, k);
        c->got += k, p += k, n -= k;
        if (c->got == 4) {
          uint32_t v = (uint32_t)c->hd[0] << 24 | c->hd[1] << 16 | c->hd[2] << 8 | c->hd[3];
          if (v != c->body + 11) badprev++;
          c->fs = F_TAG, c->got = 0;
        }
    }
  }
  return 1;
}

/* Returns 1 for valid data, 0 for invalid data, -1 at the regular end of the body. */
static int feed_body(struct conn* c, const uint8_t* p, size_t n, uint64_t now) {
  if (!c->chunked) return feed_flv(c, p, n, now);
  while (n) {
    if (c->ck == CK_DATA) {
      size_t k = n < c->ck_left ? n : c->ck_left;
      if (!feed_flv(c, p, k, now)) return 0;
      p += k, n -= k, c->ck_left -= k;
      if (!c->ck_left) c->ck = CK_CRLF;
      continue;
    }
    int ch = *p++;
    n--;
    if (c->ck == CK_CRLF) {
      if (ch == '\n')
        c->ck = CK_SIZE, c->ck_left = 0, c->ck_digits = 0;
      else if (ch != '\r')
        return 0;
    } else if (c->ck == CK_SIZE) {
      uint8_t lc = ch >= 'A' && ch <= 'F' ? ch + 32 : ch;
      uint64_t d;
      if (hexval(&lc, 1, &d)) {
        if (++c->ck_digits > 8) return 0;
        c->ck_left = c->ck_left << 4 | d;
      } else if (ch == '\n') {
        if (!c->ck_digits) return 0;
        if (!c->ck_left) return -1;
        c->ck = CK_DATA;
      } else if (ch != '\r') {
        return 0; /* chunk extensions: none expected here */
      }
    }
  }
  return 1;
}

static int on_header(struct conn* c, const uint8_t* p, size_t n, uint64_t now) {
  if (c->hlen + n > HDRMAX) {
    /* the read may end in the body: copy no more bytes than the longest header has */
    size_t room = HDRMAX - c->hlen;
    memcpy(c->hbuf + c->hlen, p, room);
    char* e = memmem(c->hbuf, HDRMAX, "\r\n\r\n", 4);
    if (!e) return 0;
  } else {
    memcpy(c->hbuf + c->hlen, p, n);
  }
  int have = c->hlen + (int)n > HDRMAX ? HDRMAX : c->hlen + (int)n;
  char* e = memmem(c->hbuf, have, "\r\n\r\n", 4);
  if (!e) {
    c->hlen = have;
    return 1;
  }
  *e = 0;
  if (strncmp(c->hbuf, "HTTP/1.", 7) || strncmp(c->hbuf + 8, " 200", 4)) {
    kill_conn(c, &n_http);
    return 1;
  }
  c->chunked = strcasestr(c->hbuf, "transfer-encoding: chunked") != NULL;
  size_t used = (size_t)(e + 4 - c->hbuf) - c->hlen;
  c->st = ST_FLV;
  n_alive++;
  free(c->hbuf);
  c->hbuf = NULL;
  return n > used ? feed_body(c, p + used, n - used, now) : 1;
}

static void open_conn(struct conn* c, int parse) {
  int one = 1;
  memset(c, 0, sizeof *c);
  c->seq = -1;
  c->parse = parse;
  c->st = ST_CONNECT;
  c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (c->fd < 0) {
    c->st = ST_DEAD;
    n_failed++;
    return;
  }
  setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  c->hbuf = malloc(HDRMAX + 1);
  struct epoll_event ev = {.events = EPOLLOUT, .data.ptr = c};
  if (connect(c->fd, (struct sockaddr*)&addr, sizeof addr) < 0 && errno != EINPROGRESS) {
    kill_conn(c, &n_failed);
    return;
  }
  epoll_ctl(ep, EPOLL_CTL_ADD, c->fd, &ev);
}

static void on_event(struct conn* c, uint32_t events) {
  if (c->st == ST_DEAD) return;
  if (c->st == ST_CONNECT) {
    int err = 0;
    socklen_t l = sizeof err;
    getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &err, &l);
    if (err || events & (EPOLLERR | EPOLLHUP)) {
      kill_conn(c, &n_failed);
      return;
    }
    char req[1600];
    int n = snprintf(req, sizeof req, "GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: flvload\r\nAccept: */*\r\n\r\n", path,
                     host);
    c->t_req = now_us();
    if (send(c->fd, req, n, MSG_NOSIGNAL) != n) {
      kill_conn(c, &n_failed);
      return;
    }
    c->st = ST_HEADER;
    struct epoll_event ev = {.events = EPOLLIN, .data.ptr = c};
    epoll_ctl(ep, EPOLL_CTL_MOD, c->fd, &ev);
    return;
  }
  ssize_t n = recv(c->fd, rbuf, RBUF, c->st == ST_SINK ? MSG_TRUNC : 0);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) {
    kill_conn(c, c->st == ST_HEADER ? &n_failed : &n_disc);
    return;
  }
  total_bytes += n;
  if (in_window) {
    win_bytes += n;
    c->win_bytes += n;
  }
  if (c->st == ST_SINK) return;
  uint64_t now = now_us();
  int ok = c->st == ST_HEADER ? on_header(c, rbuf, n, now) : feed_body(c, rbuf, n, now);
  if (ok == 0)
    kill_conn(c, &n_flv);
  else if (ok < 0)
    kill_conn(c, &n_disc);
  else if (c->st == ST_FLV && !c->parse && c->t_key)
    c->st = ST_SINK;
}

static void on_sig(int s) {
  (void)s;
  stop = 1;
}

static void pump(int ms) {
  static struct epoll_event evs[1024];
  int n = epoll_wait(ep, evs, 1024, ms);
  for (int i = 0; i < n; i++) on_event(evs[i].data.ptr, evs[i].events);
}

static void parse_url(const char* u) {
  if (strncmp(u, "http://", 7)) die("only http:// urls");
  u += 7;
  const char* sl = strchr(u, '/');
  size_t hl = sl ? (size_t)(sl - u) : strlen(u);
  if (hl >= sizeof host) die("host too long");
  memcpy(host, u, hl);
  if (sl) snprintf(path, sizeof path, "%s", sl);
  char name[256], port[16] = "80";
  snprintf(name, sizeof name, "%s", host);
  char* co = strrchr(name, ':');
  if (co) {
    *co = 0;
    snprintf(port, sizeof port, "%.15s", co + 1);
  }
  addr = loopback_address(name, port);
}

static void finish(double secs, double cpu) {
  uint64_t lo = UINT64_MAX, hi = 0;
  int ok = 0, live = 0;
  for (int i = 0; i < n_opened; i++) {
    struct conn* c = &conns[i];
    if (c->t_key) ok++;
    if (c->st == ST_FLV || c->st == ST_SINK) {
      live++;
      if (c->win_bytes < lo) lo = c->win_bytes;
      if (c->win_bytes > hi) hi = c->win_bytes;
    }
  }
  printf(
      "RESULT "
      "{\"conns\":%d,\"got_key\":%d,\"alive\":%d,\"failed\":%d,\"http_err\":%d,\"flv_err\":%d,\"disconnects\":%d",
      n_opened, ok, live, n_failed, n_http, n_flv, n_disc);
  printf(",\"win_secs\":%.3f,\"win_bytes\":%llu,\"mbps\":%.2f,\"total_bytes\":%llu,\"conn_min\":%llu,\"conn_max\":%llu",
         secs, (unsigned long long)win_bytes, secs > 0 ? win_bytes * 8 / secs / 1e6 : 0,
         (unsigned long long)total_bytes, (unsigned long long)(live ? lo : 0), (unsigned long long)hi);
  printf(",\"tags\":%llu,\"vframes\":%llu,\"gaps\":%llu,\"missing\":%llu,\"short\":%llu,\"bad_prev\":%llu,\"cpu\":%.3f",
         (unsigned long long)tags, (unsigned long long)vframes, (unsigned long long)gaps, (unsigned long long)missing,
         (unsigned long long)shortf, (unsigned long long)badprev, cpu);
  put_vec("first_tag", &v_tag);
  put_vec("first_key", &v_key);
  put_vec("first_live", &v_live);
  put_vec("key_age", &v_age);
  put_vec("lat_video", &lat_v);
  put_vec("lat_audio", &lat_a);
  printf("}\n");
}

/* Whether the bytes of connection i are parsed: n_parse of the n_conn connections, spread evenly. */
static int sampled(int i) {
  return (long long)(i + 1) * n_parse / n_conn != (long long)i * n_parse / n_conn;
}

int main(int argc, char** argv) {
  int o, all = 0;
  while ((o = getopt(argc, argv, "c:t:r:s:k:pJ:T:h")) != -1) switch (o) {
      case 'c':
        n_conn = atoi(optarg);
        break;
      case 't':
        win_secs = atof(optarg);
        break;
      case 'r':
        ramp = atof(optarg);
        break;
      case 's':
        settle = atof(optarg);
        break;
      case 'k':
        n_parse = atoi(optarg);
        break;
      case 'p':
        all = 1;
        break;
      case 'J':
        n_join = atoi(optarg);
        break;
      case 'T':
        join_to = atoi(optarg);
        break;
      default:
        die("usage: flvload [-c conns] [-t secs] [-r conns/s] [-s settle secs] [-k parsed conns | -p]\n"
            "               [-J joins [-T timeout secs]] http://127.0.0.1:port/app/stream.flv");
    }
  if (optind != argc - 1) die("exactly one url is required (-h for help)");
  if (n_conn < 1 || n_conn > 50000 || win_secs > 600 || ramp <= 0) die("bad -c, -t or -r");
  parse_url(argv[optind]);
  struct rlimit rl;
  getrlimit(RLIMIT_NOFILE, &rl);
  rl.rlim_cur = rl.rlim_max;
  setrlimit(RLIMIT_NOFILE, &rl);
  if ((rlim_t)n_conn + 16 > rl.rlim_cur) die("ulimit -n %lu is too low", (unsigned long)rl.rlim_cur);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGINT, on_sig);
  signal(SIGTERM, on_sig);
  setvbuf(stdout, NULL, _IOLBF, 0);
  ep = epoll_create1(EPOLL_CLOEXEC);
  if (n_join) n_conn = n_join;
  conns = calloc(n_conn, sizeof *conns);
  if (!conns) die("out of memory");
  uint64_t t0 = now_us();

  if (n_join) {
    int timeouts = 0;
    unsigned rnd = (unsigned)t0 | 1;
    in_window = 1;
    for (int i = 0; i < n_join && !stop; i++) {
      struct conn* c = &conns[i];
      open_conn(c, 1);
      n_opened++;
      uint64_t end = now_us() + join_to * 1000000ull;
      while (!stop && c->st != ST_DEAD && !(c->t_key && c->t_live)) {
        if (now_us() > end) {
          timeouts++;
          break;
        }
        pump(50);
      }
      kill_conn(c, NULL);
      rnd = rnd * 1103515245u + 12345u;
      usleep(20000 + (rnd >> 8) % 180000);
    }
    if (timeouts) printf("timeouts %d\n", timeouts);
    finish((now_us() - t0) / 1e6, cpu_self());
    return 0;
  }

  uint64_t w0 = t0 + (uint64_t)((n_conn / ramp + settle) * 1e6), w1 = w0 + (uint64_t)(win_secs * 1e6);
  uint64_t sec = t0 + 1000000, last = 0, win_a = 0, win_b = 0;
  double cpu_a = 0, cpu_b = 0;
  while (!stop) {
    uint64_t now = now_us();
    int due = (int)((now - t0) / 1e6 * ramp) + 1;
    if (due > n_conn) due = n_conn;
    for (int k = 0; n_opened < due && k < 64; k++, n_opened++) open_conn(&conns[n_opened], all || sampled(n_opened));
    if (!in_window && !win_a && now >= w0) {
      in_window = 1;
      win_a = now;
      cpu_a = cpu_self();
      printf("WINDOW_START alive=%d\n", n_alive);
    }
    if (in_window && now >= w1) {
      in_window = 0;
      win_b = now;
      cpu_b = cpu_self();
      printf("WINDOW_END alive=%d\n", n_alive);
      break;
    }
    if (now >= sec) {
      printf("t=%.0f alive=%d failed=%d disc=%d MB/s=%.2f tags=%llu\n", (now - t0) / 1e6, n_alive, n_failed + n_http,
             n_disc + n_flv, (total_bytes - last) / 1e6, (unsigned long long)tags);
      last = total_bytes;
      sec += 1000000;
    }
    pump(n_opened < n_conn ? 1 : 20);
  }
  if (!win_b) win_b = now_us(), cpu_b = cpu_self();
  if (!win_a) win_a = win_b;
  finish((win_b - win_a) / 1e6, cpu_b - cpu_a);
  return 0;
}
