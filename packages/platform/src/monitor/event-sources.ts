// Wrappers that create events from occurrences in other modules, so that these modules do not depend on the monitor.
import {
  AppError,
  type AuditEntry,
  type BucketProblem,
  type MonitorEventKind,
  type SettingChange,
  type StreamEvent,
  toWirePhrase,
} from '@srs-stack/contract';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { StreamEvents } from '../streams/stream-events.ts';
import type { EventFacts, MonitorEvents } from './monitor-events.ts';

type EventSink = Pick<MonitorEvents, 'add'>;

/** Changes that are also events. Logins appear only in the audit trail. */
const eventOfAction: Partial<Record<AuditEntry['action'], MonitorEventKind>> = {
  'setting-changed': 'setting-changed',
  'stream-kicked': 'stream-kicked',
  'password-changed': 'access-changed',
  'api-secret-changed': 'access-changed',
  'sign-out-everywhere': 'access-changed',
  'store-replaced': 'store-replaced',
  'upgrade-started': 'upgrade-started',
  upgraded: 'upgraded',
  'upgrade-taken-back': 'upgrade-taken-back',
};

const severityOf: Partial<Record<MonitorEventKind, EventFacts['severity']>> = {
  'store-replaced': 'error',
  'upgrade-started': 'warning',
  'upgrade-taken-back': 'error',
};

export function withEventsOfAudit(audit: AuditTrail, events: EventSink): AuditTrail {
  return {
    ...audit,
    async record(action, actor, detail) {
      const kind = eventOfAction[action];
      if (kind && typeof detail !== 'string') events.add(eventOf(kind, detail, actor.ip));
      await audit.record(action, actor, detail);
    },
  };
}

export function withEventsOfStreams(streams: StreamEvents, events: EventSink): StreamEvents {
  const report = (event: StreamEvent, refusal?: AppError) => {
    const { action, ip } = event;
    const about = { subject: `${event.app}/${event.stream}`, ip };
    if (action === 'on_publish' && refusal) {
      events.add({ kind: 'publish-refused', severity: 'warning', detail: refusal.errorName, ...about });
    } else if (action === 'on_publish' && event.priority === undefined) {
      events.add({ kind: 'publish', ...about });
    } else if (action === 'on_unpublish') {
      events.add({ kind: 'unpublish', ...about });
    }
  };
  return {
    async handle(event) {
      try {
        const seconds = await streams.handle(event);
        report(event);
        return seconds;
      } catch (error) {
        if (error instanceof AppError) report(event, error);
        throw error;
      }
    },
  };
}

/** Emits one event per kind of failure, and one event when the bucket works again. */
export function eventsOfBucket(events: EventSink): (bucket: string, problem: BucketProblem | null) => void {
  return (subject, problem) => {
    if (problem) events.add({ kind: 'bucket-failing', severity: 'warning', subject, detail: problem.kind });
    else events.add({ kind: 'bucket-recovered', subject });
  };
}

function eventOf(kind: MonitorEventKind, change: SettingChange, ip: string): EventFacts {
  if (kind !== 'stream-kicked') {
    return { kind, severity: severityOf[kind] ?? 'info', detail: change.text, change: toWirePhrase(change), ip };
  }
  const isPublisher = change.key === 'kick.stream';
  const subject = pathOfUrl(change.text);
  return { kind, severity: 'warning', subject, ip, ...(isPublisher ? {} : { change: toWirePhrase(change) }) };
}

/** Removes the vhost: `vhost/app/stream` → `app/stream`. */
function pathOfUrl(url: string): string {
  return url.split('/').filter(Boolean).slice(-2).join('/');
}
