// Sends several datagrams of one length as one message, which the kernel splits (UDP_SEGMENT, Linux 4.18).
#ifndef UDP_SEGMENTS_H
#define UDP_SEGMENTS_H
#include <netinet/udp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef SOL_UDP
#define SOL_UDP 17
#endif

enum {
  // Maximum number of segments and of bytes per message (below UDP_MAX_SEGMENTS of older kernels, and below the longest IPv4
  // datagram).
  UDP_SEGMENTS_MAX = 60,
  UDP_SEGMENTED_BYTES_MAX = 60000,
  UDP_SEGMENT_CONTROL_BYTES = CMSG_SPACE(sizeof(uint16_t)),
};

// Writes the segment length into the control data of a message, and returns the number of bytes used.
static inline size_t udp_segment_control(uint8_t *control, size_t segment_bytes) {
  struct cmsghdr header = {.cmsg_len = CMSG_LEN(sizeof(uint16_t)), .cmsg_level = SOL_UDP, .cmsg_type = UDP_SEGMENT};
  uint16_t segment = (uint16_t)segment_bytes;
  memset(control, 0, UDP_SEGMENT_CONTROL_BYTES);
  memcpy(control, &header, sizeof header);
  memcpy(control + CMSG_LEN(0), &segment, sizeof segment);
  return UDP_SEGMENT_CONTROL_BYTES;
}

#endif
