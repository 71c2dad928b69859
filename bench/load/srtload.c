/*
 * srtload - SRT publisher and player for load, loss and latency tests (libsrt and one thread).
 *
 *   apt install libsrt-openssl-dev; gcc -O2 -Wall -o srtload srtload.c -lsrt
 *   ./srtload pub  -p 40080 -n 20 -i '#!::r=live/s{i},m=publish' -v clip.h264 -a tone.aac [-l 120] [-t 60] [-r 20]
 *   ./srtload play -p 40080 -n 20 -i '#!::r=live/s{i},m=request' [-S 20] [-l 120] [-s 2] [-t 20]
 *
 * pub   muxes the clip of ../lib/clip.ts (H.264 annex B, one slice per frame, 30 fps; ADTS) to MPEG-TS, looped, with
 *       the SEI stamp of ../lib/stamp.ts in every frame, and sends it to n stream ids.  An empty -i sends no stream id.
 * play  requests n streams ({i} = viewer number modulo -S) and parses the TS of all of them: continuity-counter gaps,
 *       missing frame numbers, frames shorter than the size in their stamp, latency of whole frames.
 * -l    SRTO_LATENCY of this side (ms); the connection uses the larger of both sides.  -m: all sockets on one UDP port.
 * -o    requires delivery of messages in order, as ffmpeg 5.1 does.  Without it, as in libsrt and srt-live-transmit, a
 *       receiver without TSBPD delivers packets as they arrive, retransmitted ones late.
 * pub and play print libsrt's counters: packets, retransmitted, lost, dropped (a receiver's drop is an unrecovered packet).
 * Output: "READY n" or WINDOW_START / WINDOW_END, and "RESULT {json}".  Loopback only.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <srt/srt.h>
#include <unistd.h>
#include "common.h"

enum { PID_PMT = 0x1000, PID_V = 0x100, PID_A = 0x101, CAP = 512 };
struct nal {
  const uint8_t* p;
  int n;
};
struct au {
  int first, last, key;
}; /* nals [first, last], the last one is the slice */
static struct nal* nals;
static struct au* aus;
static struct nal* adts;
static int n_nal, n_au, n_adts;

struct es {
  uint8_t cc;
};
struct peer {
  SRTSOCKET s;
  int dead;
  /* publisher */
  uint64_t begin, v, a;
  struct es pat, pmt, ev, ea;
  uint8_t msg[1316];
  int mlen;
  /* player */
  int8_t last_cc[8192];
  int vpid, caplen, need, done, stamped, started, lost_here;
  uint32_t esbytes;
  uint64_t seq_next, ts, t_req;
  int have_seq;
  uint8_t cap[CAP];
  uint64_t t_key, bytes;
};
static struct vec lat, v_key, v_conn;
static struct peer* peers;
static int n = 1, streams, latency = 120, secs = 20, port, share, ordered, stop, in_window;
static double ramp = 20, settle = 2;
static const char *sid = "", *vfile, *afile;
static uint64_t sent_bytes, frames, missing, shortf, cc_gaps, cc_lost, win_bytes, snd_full, ts_bad, late_max;
static int connected, failed, dropped;
static char first_error[200];

static void on_sig(int x) {
  (void)x;
  stop = 1;
}

/* ---- media ---- */
static uint8_t* slurp(const char* f, size_t* len) {
  FILE* fp = fopen(f, "rb");
  if (!fp) die("cannot read the media file");
  fseek(fp, 0, SEEK_END);
  *len = ftell(fp);
  rewind(fp);
  uint8_t* b = malloc(*len + 4);
  if (!b || fread(b, 1, *len, fp) != *len) die("cannot read the media file");
  fclose(fp);
  return b;
}
static void load_media(void) {
  size_t len, i, s = 0;
  uint8_t* b = slurp(vfile, &len);
  nals = calloc(len / 8 + 1, sizeof *nals);
  aus = calloc(len / 8 + 1, sizeof *aus);
  int first = 0;
  for (i = 0; i + 2 < len || s; i++) {
    int code = i + 2 < len && !b[i] && !b[i + 1] && b[i + 2] == 1;
    if (!code && i + 2 < len) continue;
    if (s) {
      size_t e = code ? i : len;
      while (e > s && !b[e - 1]) e--;
      int t = b[s] & 31;
      if (t != 6 && t != 9) {
        nals[n_nal++] = (struct nal){b + s, (int)(e - s)};
        if (t == 1 || t == 5) {
          aus[n_au++] = (struct au){first, n_nal - 1, t == 5};
          first = n_nal;
        }
      }
    }
    if (!code) break;
    s = i + 3;
    i += 2;
  }
  b = slurp(afile, &len);
  adts = calloc(len / 7 + 1, sizeof *adts);
  for (i = 0; i + 7 <= len;) {
    int l = (b[i + 3] & 3) << 11 | b[i + 4] << 3 | b[i + 5] >> 5;
    if (b[i] != 0xff || l < 7 || i + l > len) break;
    adts[n_adts++] = (struct nal){b + i, l};
    i += l;
  }
  if (!n_au || !n_adts) die("no frames in the media files");
}

/* ---- MPEG-TS out ---- */
static uint32_t crc32m(const uint8_t* p, int len) {
  uint32_t c = 0xffffffff;
  while (len--) {
    c ^= (uint32_t)*p++ << 24;
    for (int k = 0; k < 8; k++) c = c & 0x80000000 ? c << 1 ^ 0x04c11db7 : c << 1;
  }
  return c;
}
static void flush(struct peer* p) {
  if (!p->mlen || p->dead) return;
  SRT_MSGCTRL mc = srt_msgctrl_default;
  mc.inorder = ordered;
  if (srt_sendmsg2(p->s, (char*)p->msg, p->mlen, &mc) == SRT_ERROR) {
    if (srt_getlasterror(NULL) == SRT_EASYNCSND)
      snd_full++;
    else if (srt_getsockstate(p->s) != SRTS_CONNECTED) {
      p->dead = 1;
      dropped++;
      if (!*first_error) snprintf(first_error, sizeof first_error, "send: %.180s", srt_getlasterror_str());
    }
  } else
    sent_bytes += p->mlen;
  p->mlen = 0;
}
static uint8_t* cell(struct peer* p) {
  if (p->mlen + 188 > (int)sizeof p->msg) flush(p);
  uint8_t* c = p->msg + p->mlen;
  p->mlen += 188;
  return c;
}
static void psi(struct peer* p, int pid, struct es* e, const uint8_t* sec, int len) {
  uint8_t* c = cell(p);
  memset(c, 0xff, 188);
  c[0] = 0x47, c[1] = 0x40 | pid >> 8, c[2] = pid, c[3] = 0x10 | (e->cc++ & 15), c[4] = 0;
  memcpy(c + 5, sec, len);
  uint32_t crc = htonl(crc32m(sec, len));
  memcpy(c + 5 + len, &crc, 4);
}
static void tables(struct peer* p) {
  static const uint8_t pat[] = {0, 0xb0, 13, 0, 1, 0xc1, 0, 0, 0, 1, 0xe0 | PID_PMT >> 8, PID_PMT & 255};
  static const uint8_t pmt[] = {2,
                                0xb0,
                                23,
                                0,
                                1,
                                0xc1,
                                0,
                                0,
                                0xe0 | PID_V >> 8,
                                PID_V & 255,
                                0xf0,
                                0,
                                0x1b,
                                0xe0 | PID_V >> 8,
                                PID_V & 255,
                                0xf0,
                                0,
                                0x0f,
                                0xe0 | PID_A >> 8,
                                PID_A & 255,
                                0xf0,
                                0};
  psi(p, 0, &p->pat, pat, sizeof pat);
  psi(p, PID_PMT, &p->pmt, pmt, sizeof pmt);
}
static void pes(struct peer* p, int pid, struct es* e, int sid_, uint64_t pts, int pcr, int key, const uint8_t* data,
                int len) {
  uint8_t h[14] = {0,         0,
                   1,         sid_,
                   0,         0,
                   0x80,      0x80,
                   5,         0x21 | (pts >> 29 & 14),
                   pts >> 22, 1 | (pts >> 14 & 254),
                   pts >> 7,  1 | (pts << 1 & 254)};
  if (sid_ != 0xe0) {
    h[4] = (len + 8) >> 8;
    h[5] = (len + 8) & 255;
  }
  int left = 14 + len, off = 0;
  for (int first = 1; left > 0; first = 0) {
    uint8_t* c = cell(p);
    c[0] = 0x47, c[1] = (first ? 0x40 : 0) | pid >> 8, c[2] = pid, c[3] = 0x10 | (e->cc++ & 15);
    int af = first && pcr ? 8 : 0, room = 184 - af;
    if (left < room) af = 184 - left, room = left;
    if (af) {
      c[3] |= 0x20;
      c[4] = af - 1;
      if (af > 1) {
        memset(c + 5, 0xff, af - 1);
        c[5] = 0;
        if (first && pcr) {
          uint64_t b = pts > 9000 ? pts - 9000 : 0;
          c[5] = 0x10 | (key ? 0x40 : 0);
          c[6] = b >> 25, c[7] = b >> 17, c[8] = b >> 9, c[9] = b >> 1, c[10] = (b & 1) << 7 | 0x7e, c[11] = 0;
        }
      }
    }
    uint8_t* d = c + 4 + af;
    for (int k = room; k > 0;) {
      int m;
      if (off < 14) {
        m = 14 - off < k ? 14 - off : k;
        memcpy(d, h + off, m);
      } else {
        m = k;
        memcpy(d, data + off - 14, m);
      }
      d += m, off += m, k -= m;
    }
    left -= room;
  }
}
static void video(struct peer* p) {
  static uint8_t buf[1 << 20];
  struct au* u = &aus[p->v % n_au];
  int o = 0;
#define PUT(ptr, len) \
  (buf[o] = buf[o + 1] = buf[o + 2] = 0, buf[o + 3] = 1, memcpy(buf + o + 4, ptr, len), o += 4 + (len))
  if (u->key || p->v % 3 == 0) tables(p);
  PUT("\x09\xf0", 2);
  for (int k = u->first; k <= u->last; k++) {
    if (o + nals[k].n + 100 > (int)sizeof buf) die("frame too large");
    if (k == u->last) {
      char m[64];
      int l = snprintf(m, sizeof m, "\x06\x05\x2dLOADSIZE%08xLSTMP%016llx%08x\x80", nals[k].n,
                       (unsigned long long)now_us(), (unsigned)p->v);
      PUT(m, l);
    }
    PUT(nals[k].p, nals[k].n);
  }
  pes(p, PID_V, &p->ev, 0xe0, 90000 + p->v * 3000, 1, u->key, buf, o);
  flush(p);
  p->v++;
}
static void audio(struct peer* p) {
  struct nal* f = &adts[p->a % n_adts];
  pes(p, PID_A, &p->ea, 0xc0, 90000 + p->a * 1920, 0, 0, f->p, f->n);
  flush(p);
  p->a++;
}

/* ---- MPEG-TS in ---- */
static uint64_t hexat(const uint8_t* b, int k) {
  uint64_t x = 0;
  hexval(b, k, &x);
  return x;
}
static void end_frame(struct peer* p) { /* a new frame starts, or the stream ends */
  if (p->started && p->stamped && !p->done && in_window) shortf++;
}
static void video_bytes(struct peer* p, const uint8_t* b, int len, uint64_t now) {
  if (p->caplen < CAP) {
    int k = CAP - p->caplen < len ? CAP - p->caplen : len;
    memcpy(p->cap + p->caplen, b, k);
    p->caplen += k;
    if (!p->stamped) {
      uint8_t* m = memmem(p->cap, p->caplen, "LOADSIZE", 8);
      if (m && m + 45 <= p->cap + p->caplen && !memcmp(m + 16, "LSTMP", 5)) {
        uint64_t seq = hexat(m + 37, 8);
        p->stamped = 1;
        p->ts = hexat(m + 21, 16);
        p->need = (int)(m - p->cap) + 46 + 3 + (int)hexat(m + 8, 8);
        if (p->have_seq && in_window && seq > p->seq_next) missing += seq - p->seq_next;
        p->have_seq = 1, p->seq_next = seq + 1;
      }
    }
    if (!p->t_key && (memmem(p->cap, p->caplen, "\0\0\1\x67", 4) || memmem(p->cap, p->caplen, "\0\0\1\x65", 4))) {
      p->t_key = now;
      push(&v_key, now - p->t_req);
    }
  }
  p->esbytes += len;
  if (p->stamped && !p->done && (int)p->esbytes >= p->need) {
    p->done = 1;
    if (in_window) {
      frames++;
      if (p->ts >= p->t_req && now >= p->ts && !p->lost_here) push(&lat, now - p->ts);
    }
  }
}
static void ts_packet(struct peer* p, const uint8_t* c, uint64_t now) {
  if (c[0] != 0x47) {
    ts_bad++;
    return;
  }
  int pid = (c[1] & 31) << 8 | c[2], afc = c[3] >> 4 & 3, cc = c[3] & 15, o = 4, disc = 0;
  if (pid == 8191) return;
  if (afc & 2) {
    disc = c[4] && c[5] & 0x80;
    o += 1 + c[4];
  }
  if (!(afc & 1)) return;
  if (p->last_cc[pid] >= 0 && !disc) {
    int e = (p->last_cc[pid] + 1) & 15;
    if (cc == p->last_cc[pid]) return; /* a duplicate */
    if (cc != e) {
      if (in_window) cc_gaps++, cc_lost += (cc - e) & 15;
      if (pid == p->vpid) p->lost_here = 1;
    }
  }
  p->last_cc[pid] = cc;
  if (o >= 188) return;
  const uint8_t* d = c + o;
  int len = 188 - o;
  if (c[1] & 0x40 && len >= 9 && !d[0] && !d[1] && d[2] == 1 && (d[3] & 0xf0) == 0xe0) {
    p->vpid = pid;
    end_frame(p);
    p->started = 1, p->done = p->stamped = p->caplen = p->lost_here = 0, p->esbytes = 0;
    int h = 9 + d[8];
    if (h > len) return;
    d += h, len -= h;
  } else if (pid != p->vpid || !p->started)
    return;
  video_bytes(p, d, len, now);
}

/* ---- sockets ---- */
static int udp_port;
static int open_peer(struct peer* p, int i, int pub) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)}, me = {.sin_family = AF_INET};
  a.sin_addr.s_addr = me.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int yes = 1, no = 0, to = 4000, lt = latency;
  memset(p->last_cc, -1, sizeof p->last_cc);
  p->vpid = -1;
  p->s = srt_create_socket();
  srt_setsockflag(p->s, SRTO_SENDER, pub ? &yes : &no, sizeof yes);
  srt_setsockflag(p->s, SRTO_LATENCY, &lt, sizeof lt);
  srt_setsockflag(p->s, SRTO_CONNTIMEO, &to, sizeof to);
  if (*sid) {
    char id[512], num[16], *m;
    snprintf(id, sizeof id, "%s", sid);
    snprintf(num, sizeof num, "%d", streams ? i % streams : i);
    if ((m = strstr(id, "{i}"))) {
      char tail[512];
      snprintf(tail, sizeof tail, "%s", m + 3);
      snprintf(m, sizeof id - (m - id), "%s%s", num, tail);
    }
    srt_setsockflag(p->s, SRTO_STREAMID, id, strlen(id));
  }
  if (share) {
    me.sin_port = htons(udp_port);
    srt_bind(p->s, (struct sockaddr*)&me, sizeof me);
    if (!udp_port) {
      struct sockaddr_in g;
      int l = sizeof g;
      srt_getsockname(p->s, (struct sockaddr*)&g, &l);
      udp_port = ntohs(g.sin_port);
    }
  }
  uint64_t t = now_us();
  p->t_req = t;
  if (srt_connect(p->s, (struct sockaddr*)&a, sizeof a) == SRT_ERROR) {
    if (!*first_error) snprintf(first_error, sizeof first_error, "connect: %.180s", srt_getlasterror_str());
    p->dead = 1, failed++;
    return 0;
  }
  push(&v_conn, now_us() - t);
  srt_setsockflag(p->s, pub ? SRTO_SNDSYN : SRTO_RCVSYN, &no, sizeof no);
  connected++;
  return 1;
}
static void totals(void) {
  long long pk = 0, uniq = 0, re = 0, sl = 0, sd = 0, rp = 0, ru = 0, rl = 0, rd = 0, be = 0;
  double rtt = 0;
  for (int i = 0; i < n; i++) {
    SRT_TRACEBSTATS b;
    if (peers[i].s <= 0 || srt_bstats(peers[i].s, &b, 0) == SRT_ERROR) continue;
    pk += b.pktSentTotal, uniq += b.pktSentUniqueTotal, re += b.pktRetransTotal, sl += b.pktSndLossTotal,
        sd += b.pktSndDropTotal;
    rp += b.pktRecvTotal, ru += b.pktRecvUniqueTotal, rl += b.pktRcvLossTotal, rd += b.pktRcvDropTotal,
        be += b.pktRcvBelated, rtt += b.msRTT;
  }
  printf(
      ",\"srt\":{\"sent\":%lld,\"sent_unique\":%lld,\"retrans\":%lld,\"snd_loss\":%lld,\"snd_drop\":%lld,\"recv\":%lld,"
      "\"recv_unique\":%lld,\"rcv_loss\":%lld,\"rcv_drop\":%lld,\"belated\":%lld,\"rtt_ms\":%.2f}",
      pk, uniq, re, sl, sd, rp, ru, rl, rd, be, n ? rtt / n : 0);
}
static void sleep_until(uint64_t t) {
  uint64_t now = now_us();
  if (t > now) usleep(t - now > 20000 ? 20000 : t - now);
}

static void run_pub(void) {
  load_media();
  uint64_t t0 = now_us(), seed = 12345;
  for (int i = 0; i < n && !stop; i++) {
    sleep_until(t0 + (uint64_t)(i * 1e6 / ramp));
    if (open_peer(&peers[i], i, 1)) {
      seed = seed * 6364136223846793005ull + 1442695040888963407ull;
      peers[i].begin = now_us() + (seed >> 33) % 33333;
    }
    if (i + 1 == n) {
      printf("READY %d\n", connected);
      t0 = now_us();
      sent_bytes = 0;
    }
    uint64_t until = i + 1 == n ? t0 + secs * 1000000ull : t0 + (uint64_t)((i + 1) * 1e6 / ramp);
    while (!stop) {
      uint64_t now = now_us(), next = until;
      for (int k = 0; k <= i; k++) {
        struct peer* p = &peers[k];
        while (!p->dead) {
          uint64_t tv = p->begin + p->v * 1000000 / 30, ta = p->begin + p->a * 64000 / 3, due = tv < ta ? tv : ta;
          if (due > now) {
            if (due < next) next = due;
            break;
          }
          if (now - due > late_max) late_max = now - due;
          if (tv <= ta)
            video(p);
          else
            audio(p);
        }
      }
      if (now >= until) break;
      sleep_until(next);
    }
  }
  double s = (now_us() - t0) / 1e6;
  printf(
      "RESULT "
      "{\"streams\":%d,\"connected\":%d,\"failed\":%d,\"dropped\":%d,\"snd_full\":%llu,\"secs\":%.2f,\"kbps\":%.0f,"
      "\"late_max_ms\":%.1f,\"cpu\":%.3f,\"first_error\":\"%s\"",
      n, connected, failed, dropped, (unsigned long long)snd_full, s,
      connected ? sent_bytes * 8 / s / 1000 / connected : 0, late_max / 1000.0, cpu_self(), first_error);
  put_vec("connect_ms", &v_conn);
  totals();
  printf("}\n");
}
static void run_play(void) {
  int ep = srt_epoll_create(), ev = SRT_EPOLL_IN | SRT_EPOLL_ERR, opened = 0;
  uint64_t t0 = now_us(), w0 = 0, w1 = 0;
  double c0 = 0, c1 = 0;
  SRTSOCKET* ready = calloc(n + 1, sizeof *ready);
  while (!stop) {
    uint64_t now = now_us();
    if (opened < n && now >= t0 + (uint64_t)(opened * 1e6 / ramp)) {
      struct peer* p = &peers[opened];
      if (open_peer(p, opened, 0)) srt_epoll_add_usock(ep, p->s, &ev);
      if (++opened == n) w0 = now_us() + (uint64_t)(settle * 1e6);
    }
    if (w0 && !in_window && now >= w0) {
      in_window = 1;
      w0 = now;
      w1 = now + secs * 1000000ull;
      c0 = cpu_self();
      printf("WINDOW_START\n");
    }
    if (in_window && now >= w1) {
      in_window = 0;
      c1 = cpu_self();
      printf("WINDOW_END\n");
      break;
    }
    if (!connected && opened == n) {
      printf("WINDOW_START\nWINDOW_END\n");
      break;
    }
    int k = n;
    if (srt_epoll_wait(ep, ready, &k, NULL, NULL, 5, NULL, NULL, NULL, NULL) <= 0) continue;
    for (int i = 0; i < k && i < n; i++) {
      struct peer* p = NULL;
      for (int j = 0; j < opened; j++)
        if (peers[j].s == ready[i]) {
          p = &peers[j];
          break;
        }
      if (!p || p->dead) continue;
      char b[1500];
      for (;;) {
        int r = srt_recvmsg(p->s, b, sizeof b);
        if (r <= 0) {
          if (srt_getlasterror(NULL) != SRT_EASYNCRCV) {
            p->dead = 1;
            dropped++;
            srt_epoll_remove_usock(ep, p->s);
            if (!*first_error) snprintf(first_error, sizeof first_error, "recv: %.180s", srt_getlasterror_str());
          }
          break;
        }
        now = now_us();
        if (in_window) win_bytes += r;
        for (int o = 0; o + 188 <= r; o += 188) ts_packet(p, (uint8_t*)b + o, now);
      }
    }
  }
  double s = w1 ? (now_us() - w0) / 1e6 : 0;
  printf(
      "RESULT "
      "{\"conns\":%d,\"connected\":%d,\"failed\":%d,\"dropped\":%d,\"got_key\":%zu,\"win_secs\":%.3f,\"win_bytes\":%"
      "llu,\"mbps\":%.3f,\"frames\":%llu,\"missing\":%llu,\"short\":%llu,\"cc_gaps\":%llu,\"cc_lost\":%llu,\"ts_bad\":%"
      "llu,\"cpu\":%.3f,\"first_error\":\"%s\"",
      n, connected, failed, dropped, v_key.n, s, (unsigned long long)win_bytes, s > 0 ? win_bytes * 8 / s / 1e6 : 0,
      (unsigned long long)frames, (unsigned long long)missing, (unsigned long long)shortf, (unsigned long long)cc_gaps,
      (unsigned long long)cc_lost, (unsigned long long)ts_bad, c1 - c0, first_error);
  put_vec("connect_ms", &v_conn);
  put_vec("first_key", &v_key);
  put_vec("lat_video", &lat);
  totals();
  printf("}\n");
}

int main(int argc, char** argv) {
  int o, pub;
  if (argc < 2 || ((pub = !strcmp(argv[1], "pub")) == 0 && strcmp(argv[1], "play")))
    die("usage: srtload pub|play -p port ... (see the head of srtload.c)");
  optind = 2;
  while ((o = getopt(argc, argv, "p:n:i:v:a:l:t:r:s:S:mo")) != -1) switch (o) {
      case 'p':
        port = atoi(optarg);
        break;
      case 'n':
        n = atoi(optarg);
        break;
      case 'i':
        sid = optarg;
        break;
      case 'v':
        vfile = optarg;
        break;
      case 'a':
        afile = optarg;
        break;
      case 'l':
        latency = atoi(optarg);
        break;
      case 't':
        secs = atoi(optarg);
        break;
      case 'r':
        ramp = atof(optarg);
        break;
      case 's':
        settle = atof(optarg);
        break;
      case 'S':
        streams = atoi(optarg);
        break;
      case 'm':
        share = 1;
        break;
      case 'o':
        ordered = 1;
        break;
      default:
        die("see the head of srtload.c");
    }
  if (!port || n < 1 || n > 1000 || secs > 900 || ramp <= 0 || (pub && (!vfile || !afile)))
    die("bad or missing -p, -n, -t, -r, -v or -a");
  setvbuf(stdout, NULL, _IOLBF, 0);
  signal(SIGTERM, on_sig);
  signal(SIGINT, on_sig);
  srt_startup();
  srt_setloglevel(1);
  peers = calloc(n, sizeof *peers);
  if (pub)
    run_pub();
  else
    run_play();
  for (int i = 0; i < n; i++)
    if (peers[i].s > 0) srt_close(peers[i].s);
  fflush(stdout);
  _exit(0);
}
