// The dashboard: alarms, current metrics, charts, playback quality, tasks and events. Everything updates automatically.
import { Skeleton } from '@mantine/core';
import type { MonitorRange } from '@srs-stack/contract';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FreshnessDot } from '../../shared/monitor/freshness-dot.tsx';
import { useFreshness, useMonitor } from '../../shared/monitor/use-monitor.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { AlarmList } from './alarm-list.tsx';
import { ChartsPanel } from './charts-panel.tsx';
import classes from './dashboard.module.css';
import { EventsPanel } from './events-panel.tsx';
import { MediaServersPanel } from './media-servers-panel.tsx';
import { MetricTiles } from './metric-tiles.tsx';
import { ViewersPanel } from './viewers-panel.tsx';
import { WorkersPanel } from './workers-panel.tsx';

export default function DashboardPage() {
  const { t } = useTranslation('dashboard');
  const feed = useMonitor();
  const freshness = useFreshness(feed);
  const { snapshot, events, link } = feed;
  const [range, setRange] = useState<MonitorRange>('5m');
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <PageTitle title={t('title')}>{t('text')}</PageTitle>
        <FreshnessDot freshness={freshness} withText />
      </div>
      {snapshot ? (
        <>
          <AlarmList alarms={snapshot.alarms} workers={snapshot.workers} />
          <MetricTiles snapshot={snapshot} isStale={freshness.state === 'stale'} />
          {snapshot.mediaServers && <MediaServersPanel servers={snapshot.mediaServers} />}
          <ChartsPanel snapshot={snapshot} events={events} range={range} onRange={setRange} />
          <ViewersPanel range={range} />
          <div className={classes.columns}>
            <EventsPanel events={events} />
            <WorkersPanel workers={snapshot.workers} />
          </div>
        </>
      ) : link === 'broken' ? (
        <EmptyState icon={<IconPlugConnectedX size={32} stroke={1.5} aria-hidden />} title={t('unreachable.title')}>
          {t('unreachable.text')}
        </EmptyState>
      ) : (
        <Waiting label={t('waiting')} />
      )}
    </div>
  );
}

function Waiting({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className={classes.page}>
      <div className={classes.tiles}>
        {['engine', 'streams', 'viewers', 'in', 'out', 'cpu', 'memory', 'disk', 'tasks', 'certificate'].map((name) => (
          <Skeleton key={name} height={104} radius="lg" />
        ))}
      </div>
      <Skeleton height={420} radius="lg" />
    </div>
  );
}
