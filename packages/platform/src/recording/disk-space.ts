// Measures free disk space at a limited rate. After a write that failed on a full disk, the disk counts as full.
import { statfs } from 'node:fs/promises';
import type { RecordDiskState } from '@srs-stack/contract';

/** Free space that recordings must leave, bytes: for the store, logs and live segments. */
const reserveBytes = 512 * 1024 * 1024;
/** Maximum share of the disk that is reserved; limits the reserve on small disks. */
const reserveShare = 0.05;
/** The console warns when free space is below this multiple of the reserve. */
const lowReserves = 4;
/** Recording resumes above this multiple of the reserve. A value above 1 avoids frequent changes. */
const resumeReserves = 1.25;
/** Cache time of a measurement, milliseconds: 20 streams of 10 Mbit/s write 50 MB within that time. */
const lookIntervalMs = 2_000;

export interface DiskSpace {
  readonly state: RecordDiskState;
  readonly freeBytes: number;
  readonly totalBytes: number;
  readonly reserveBytes: number;
}

export interface DiskWatch {
  /** Measures the disk space, or returns a recent result. Never rejects: a failed measurement returns the last result. */
  look(): Promise<DiskSpace>;
  /** Called when a write failed because the disk is full. Pauses recording until a measurement finds space. */
  onDiskFull(): void;
}

export interface DiskWatchDeps {
  readonly path: string;
  readonly monotonicMs: () => number;
  readonly onChange: (room: DiskSpace) => void;
  readonly measure: MeasureDisk;
}

/** Free and total bytes of the file system of `path`. */
export type MeasureDisk = (path: string) => Promise<{ freeBytes: number; totalBytes: number }>;

export function createDiskWatch({ path, monotonicMs, onChange, measure }: DiskWatchDeps): DiskWatch {
  let room: DiskSpace = { state: 'ok', freeBytes: 0, totalBytes: 0, reserveBytes };
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  const judge = (freeBytes: number, reserve: number): RecordDiskState => {
    const limit = room.state === 'full' ? reserve * resumeReserves : reserve;
    if (freeBytes < limit) return 'full';
    return freeBytes < reserve * lowReserves ? 'low' : 'ok';
  };
  const become = (next: DiskSpace) => {
    const hasChanged = next.state !== room.state;
    room = next;
    if (hasChanged) onChange(room);
  };
  return {
    async look() {
      if (monotonicMs() - lookedAtMs < lookIntervalMs) return room;
      lookedAtMs = monotonicMs();
      const found = await measure(path).catch(() => undefined);
      if (found === undefined) return room;
      const reserve = Math.min(reserveBytes, found.totalBytes * reserveShare);
      become({ ...found, reserveBytes: reserve, state: judge(found.freeBytes, reserve) });
      return room;
    },
    onDiskFull() {
      lookedAtMs = monotonicMs();
      become({ ...room, state: 'full' });
    },
  };
}

export const measureDisk: MeasureDisk = async (path) => {
  const { bavail, blocks, bsize } = await statfs(path);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
};

/** True if an error means a full disk. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}
