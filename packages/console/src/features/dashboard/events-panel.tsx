// Recent events, newest first.
import { Button } from '@mantine/core';
import type { MonitorEvent, MonitorEventKind } from '@srs-stack/contract';
import {
  IconAdjustments,
  IconAlertTriangle,
  IconBroadcast,
  IconBroadcastOff,
  IconCircleCheck,
  IconHistory,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTimestamp } from '../../shared/format-time.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './dashboard.module.css';
import { useEventText } from './event-text.ts';

/** Number of events shown before "show all". */
const shownAtFirst = 12;

const signs: Partial<Record<MonitorEventKind, typeof IconBroadcast>> = {
  'server-started': IconPlayerPlay,
  publish: IconBroadcast,
  unpublish: IconBroadcastOff,
  'setting-changed': IconAdjustments,
  'access-changed': IconAdjustments,
  'engine-back': IconCircleCheck,
  'store-back': IconCircleCheck,
  'worker-recovered': IconCircleCheck,
  'disk-ok': IconCircleCheck,
  'bucket-recovered': IconCircleCheck,
};

export function EventsPanel({ events }: { events: readonly MonitorEvent[] }) {
  const { t } = useTranslation('dashboard');
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? events : events.slice(0, shownAtFirst);
  return (
    <Panel title={t('events.title')} description={t('events.text')} icon={<IconHistory size={20} aria-hidden />}>
      {events.length === 0 ? (
        <EmptyState compact icon={<IconHistory size={26} stroke={1.6} aria-hidden />} title={t('events.none')} />
      ) : (
        <ol className={classes.events} aria-label={t('events.title')}>
          {shown.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </ol>
      )}
      {shown.length < events.length && (
        <Button variant="default" size="xs" mt="sm" onClick={() => setWhole(true)}>
          {t('events.all', { number: events.length })}
        </Button>
      )}
    </Panel>
  );
}

function EventRow({ event }: { event: MonitorEvent }) {
  const { t } = useTranslation('dashboard');
  const eventText = useEventText();
  const { at, kind, severity, ip } = event;
  const Sign = severity === 'info' ? (signs[kind] ?? IconHistory) : IconAlertTriangle;
  return (
    <li data-severity={severity} data-kind={kind}>
      <Sign size={17} aria-hidden />
      <span>
        {eventText(event)}
        {ip !== '' && <span className={classes.from}> {t('events.from', { ip })}</span>}
      </span>
      <time dateTime={at}>{formatTimestamp(at)}</time>
    </li>
  );
}
