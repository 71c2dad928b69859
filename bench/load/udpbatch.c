// Measures three ways of sending a frame of a few packets to many WebRTC viewers. The ways are: one call per packet,
// one sendmmsg(2) call for all packets, and UDP segmentation (udp(7), UDP_SEGMENT) of the frame for each viewer.
//
//   gcc -O2 -o /tmp/udpbatch bench/load/udpbatch.c && /tmp/udpbatch [viewers] [packets per frame] [bytes per packet] [frames]
//
// Sends over loopback without a reader, which minimizes the cost of receiving. Prints the processor time of each way,
// µs per packet: the minimum of several rounds.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/udp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

enum { max_viewers = 4096, max_packets = 64, max_bytes = 1472, batch = 64, rounds = 5 };

static int viewers, packets, bytes, frames;
static int sender;
static struct sockaddr_in to[max_viewers];
static char payload[max_packets * max_bytes];

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static double cpu_us(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) < 0) fail("getrusage");
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static void one_by_one(void) {
  for (int viewer = 0; viewer < viewers; viewer++)
    for (int packet = 0; packet < packets; packet++)
      if (sendto(sender, payload + packet * bytes, bytes, 0, (struct sockaddr *)&to[viewer], sizeof to[viewer]) < 0)
        fail("sendto");
}

static void send_batch(struct mmsghdr *messages, int count) {
  for (int sent = 0; sent < count;) {
    int more = sendmmsg(sender, messages + sent, count - sent, 0);
    if (more < 0) fail("sendmmsg");
    sent += more;
  }
}

static void many_per_call(void) {
  static struct mmsghdr messages[batch];
  static struct iovec pieces[batch];
  int count = 0;
  for (int viewer = 0; viewer < viewers; viewer++)
    for (int packet = 0; packet < packets; packet++) {
      pieces[count] = (struct iovec){payload + packet * bytes, bytes};
      messages[count].msg_hdr = (struct msghdr){
          .msg_name = &to[viewer], .msg_namelen = sizeof to[viewer], .msg_iov = &pieces[count], .msg_iovlen = 1};
      if (++count == batch) {
        send_batch(messages, count);
        count = 0;
      }
    }
  send_batch(messages, count);
}

static void segmented(void) {
  char control[CMSG_SPACE(sizeof(uint16_t))] = {0};
  struct iovec piece = {payload, (size_t)packets * bytes};
  struct msghdr message = {.msg_namelen = sizeof to[0],
                           .msg_iov = &piece,
                           .msg_iovlen = 1,
                           .msg_control = control,
                           .msg_controllen = sizeof control};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_UDP;
  header->cmsg_type = UDP_SEGMENT;
  header->cmsg_len = CMSG_LEN(sizeof(uint16_t));
  *(uint16_t *)CMSG_DATA(header) = bytes;
  for (int viewer = 0; viewer < viewers; viewer++) {
    message.msg_name = &to[viewer];
    if (sendmsg(sender, &message, 0) < 0) fail("sendmsg with UDP_SEGMENT");
  }
}

static int bounded(const char *text, int standard, int most) {
  int value = text ? atoi(text) : standard;
  if (value < 1 || value > most) {
    fprintf(stderr, "%s: 1 to %d\n", text ? text : "", most);
    exit(2);
  }
  return value;
}

int main(int argc, char **argv) {
  viewers = bounded(argc > 1 ? argv[1] : NULL, 200, max_viewers);
  packets = bounded(argc > 2 ? argv[2] : NULL, 5, max_packets);
  bytes = bounded(argc > 3 ? argv[3] : NULL, 1200, max_bytes);
  frames = bounded(argc > 4 ? argv[4] : NULL, 300, 100000);
  if (packets * bytes > 65000) fail("a frame is too large for one call");
  for (int viewer = 0; viewer < viewers; viewer++) {
    int receiver = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof own;
    if (receiver < 0 || bind(receiver, (struct sockaddr *)&own, sizeof own) < 0) fail("receiver");
    if (getsockname(receiver, (struct sockaddr *)&to[viewer], &length) < 0) fail("getsockname");
  }
  sender = socket(AF_INET, SOCK_DGRAM, 0);
  if (sender < 0) fail("sender");

  void (*const ways[])(void) = {one_by_one, many_per_call, segmented};
  const char *const names[] = {"a call per packet", "sendmmsg", "UDP_SEGMENT"};
  double best[3] = {1e9, 1e9, 1e9};
  for (int round = 0; round < rounds; round++)
    for (int way = 0; way < 3; way++) {
      double before = cpu_us();
      for (int frame = 0; frame < frames; frame++) ways[way]();
      double each = (cpu_us() - before) / ((double)frames * viewers * packets);
      if (each < best[way]) best[way] = each;
    }
  for (int way = 0; way < 3; way++) printf("%-18s %6.3f us per packet\n", names[way], best[way]);
  return 0;
}
