// Parses the /proc files of Linux for the summaries. Pure; missing values count as 0.

/** Jiffies since boot. */
export interface CpuTimes {
  readonly busy: number;
  readonly total: number;
}

/** First line of /proc/stat: user nice system idle iowait irq softirq steal guest guest_nice. */
export function parseCpuTimes(stat: string): CpuTimes {
  const line = /^cpu\s+(.+)$/m.exec(stat)?.[1] ?? '';
  const values = line.split(/\s+/).slice(0, 8).map(Number);
  const total = values.reduce((sum, value) => sum + value, 0);
  const idle = (values[3] ?? 0) + (values[4] ?? 0);
  return { busy: total - idle, total };
}

/** Fields of /proc/meminfo, kB. */
export function parseMemory(meminfo: string): {
  totalKb: number;
  availableKb: number;
  swapTotalKb: number;
  swapFreeKb: number;
} {
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(meminfo)?.[1] ?? 0);
  return {
    totalKb: field('MemTotal'),
    availableKb: field('MemAvailable'),
    swapTotalKb: field('SwapTotal'),
    swapFreeKb: field('SwapFree'),
  };
}

/** Bytes in /proc/net/dev: the sum of all interfaces except loopback, and loopback separately. */
export function parseNetwork(dev: string): {
  received: number;
  sent: number;
  innerReceived: number;
  innerSent: number;
} {
  const sums = { received: 0, sent: 0, innerReceived: 0, innerSent: 0 };
  for (const match of dev.matchAll(/^\s*([^:\s]+):\s*(.+)$/gm)) {
    const values = (match[2] ?? '').split(/\s+/).map(Number);
    const isLoopback = match[1] === 'lo';
    sums[isLoopback ? 'innerReceived' : 'received'] += values[0] ?? 0;
    sums[isLoopback ? 'innerSent' : 'sent'] += values[8] ?? 0;
  }
  return sums;
}

/** Sums of all whole disks in /proc/diskstats: KB read and written (the file counts sectors of 512 bytes), and milliseconds of I/O. */
export function parseDisks(diskstats: string): { readKb: number; writtenKb: number; busyMs: number } {
  const sums = { readKb: 0, writtenKb: 0, busyMs: 0 };
  for (const match of diskstats.matchAll(/^\s*\d+\s+\d+\s+(?:[shv]d[a-z]+|xvd[a-z]+|nvme\d+n\d+|mmcblk\d+) (.+)$/gm)) {
    const values = (match[1] ?? '').split(' ').map(Number);
    sums.readKb += (values[2] ?? 0) / 2;
    sums.writtenKb += (values[6] ?? 0) / 2;
    sums.busyMs += values[9] ?? 0;
  }
  return sums;
}

/** Number of sockets in /proc/net/sockstat: all, TCP in use, TCP in time-wait, UDP. */
export function parseSockets(sockstat: string): { all: number; established: number; timeWait: number; udp: number } {
  const pick = (pattern: RegExp): number => Number(pattern.exec(sockstat)?.[1] ?? 0);
  return {
    all: pick(/^sockets: used (\d+)/m),
    established: pick(/^TCP: inuse (\d+)/m),
    timeWait: pick(/^TCP: .*\btw (\d+)/m),
    udp: pick(/^UDP: inuse (\d+)/m),
  };
}
