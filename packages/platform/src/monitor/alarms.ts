// Alarms are conditions that require an action of the operator. They are derived from current metrics.
import type { MonitorAlarm, MonitorSnapshot, MonitorWorker } from '@srs-stack/contract';
import type { StoreTrouble } from '../store/store.ts';

/** Free space below which recordings will soon pause: bytes, or a share of a small disk. */
const lowBytes = 2 * 1024 ** 3;
const lowShare = 0.1;
/** Free space below which recordings have paused and saving settings may fail: bytes, or a share of a small disk. */
const fullBytes = 512 * 1024 ** 2;
const fullShare = 0.05;
/**
 * A certificate raises an alarm this many days before expiry. Automatic renewal starts at 30 days, so an alarm means that renewal failed or
 * is not set up.
 */
const certificateDays = 14;

type Judged = Pick<MonitorSnapshot, 'engine' | 'mediaServers' | 'disk' | 'certificate'> & {
  workers: readonly MonitorWorker[];
  store: { readonly name: string; readonly trouble: StoreTrouble | undefined };
  slates: readonly SlateOnAir[];
};

/** A stream whose source is missing, so that viewers see the slate. */
export interface SlateOnAir {
  /** `app/stream`. */
  readonly name: string;
  readonly seconds: number;
}

/** Maximum number of alarms about slates. */
const maxSlateAlarms = 10;

/** Most urgent first. */
export function alarmsOf({
  engine,
  mediaServers = [],
  disk,
  certificate,
  workers,
  store,
  slates,
}: Judged): MonitorAlarm[] {
  const alarms: MonitorAlarm[] = [];
  const add = (alarm: Pick<MonitorAlarm, 'code' | 'severity'> & Partial<MonitorAlarm>) =>
    alarms.push({ subject: '', value: 0, reason: 'none', ...alarm });
  if (engine === 'away') add({ code: 'engine-away', severity: 'error' });
  else
    for (const { name, isUp } of mediaServers)
      if (!isUp) add({ code: 'engine-away', severity: 'error', subject: name });
  if (store.trouble) {
    const severity = store.trouble === 'slow' ? 'warning' : 'error';
    add({ code: `store-${store.trouble}`, severity, subject: store.name });
  }
  const room = roomOf(disk);
  if (room !== 'ok') {
    add({ code: `disk-${room}`, severity: room === 'full' ? 'error' : 'warning', value: disk.freeBytes });
  }
  if (certificate && certificate.daysLeft < 0) {
    add({ code: 'certificate-expired', severity: 'error', value: certificate.daysLeft });
  } else if (certificate && certificate.daysLeft < certificateDays) {
    add({ code: 'certificate-expiring', severity: 'warning', value: certificate.daysLeft });
  }
  for (const { name, seconds } of slates.slice(0, maxSlateAlarms)) {
    add({ code: 'slate-on-air', severity: 'warning', subject: name, value: seconds });
  }
  for (const worker of workers.filter(isFailing)) {
    const severity = worker.state === 'error' ? 'error' : 'warning';
    add({
      code: 'worker-failing',
      severity,
      subject: worker.label || worker.platform || worker.id,
      reason: worker.reason,
    });
  }
  return alarms.sort((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'));
}

export function isFailing({ state }: Pick<MonitorWorker, 'state'>): boolean {
  return state === 'error' || state === 'retrying';
}

/** A disk of unknown size raises no alarm. */
export function roomOf({ totalBytes, freeBytes }: { totalBytes: number; freeBytes: number }): 'ok' | 'low' | 'full' {
  if (totalBytes === 0) return 'ok';
  if (freeBytes < Math.min(fullBytes, totalBytes * fullShare)) return 'full';
  return freeBytes < Math.min(lowBytes, totalBytes * lowShare) ? 'low' : 'ok';
}
