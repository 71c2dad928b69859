import { expect, test } from 'vitest';
import { parseCpuTimes, parseDisks, parseMemory, parseNetwork, parseSockets } from './system-files.ts';

test('CPU times count idle and iowait as not busy', () => {
  expect(parseCpuTimes('cpu  10 1 5 80 4 0 0 0 7 7\ncpu0 1 1 1 1\n')).toEqual({ busy: 16, total: 100 });
});

test('memory and swap are in kB', () => {
  const text = 'MemTotal:  16384 kB\nMemFree: 1 kB\nMemAvailable: 8192 kB\nSwapTotal: 10 kB\nSwapFree: 4 kB\n';
  expect(parseMemory(text)).toEqual({ totalKb: 16_384, availableKb: 8_192, swapTotalKb: 10, swapFreeKb: 4 });
});

test('the loopback is summed separately from real interfaces', () => {
  const text = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets
    lo:     100       1    0    0    0     0          0         0      100       1
  eth0:    5000      10    0    0    0     0          0         0     7000      10
  eth1:5 1 0 0 0 0 0 0 7 1
`;
  expect(parseNetwork(text)).toEqual({ received: 5005, sent: 7007, innerReceived: 100, innerSent: 100 });
});

test('counts whole disks, not partitions and loop devices', () => {
  const text = `   8       0 sda 10 0 200 5 20 0 400 6 0 77 11
   8       1 sda1 10 0 200 5 20 0 400 6 0 77 11
   7       0 loop0 10 0 200 5 20 0 400 6 0 77 11
 259       0 nvme0n1 1 0 2 0 1 0 4 0 0 3 0\n`;
  expect(parseDisks(text)).toEqual({ readKb: 101, writtenKb: 202, busyMs: 80 });
});

test('sockets are counted by kind, and an empty file gives zeros', () => {
  const text = 'sockets: used 290\nTCP: inuse 12 orphan 0 tw 3 alloc 14 mem 2\nUDP: inuse 4 mem 1\n';
  expect(parseSockets(text)).toEqual({ all: 290, established: 12, timeWait: 3, udp: 4 });
  expect(parseSockets('')).toEqual({ all: 0, established: 0, timeWait: 0, udp: 0 });
  expect(parseCpuTimes('')).toEqual({ busy: 0, total: 0 });
});
