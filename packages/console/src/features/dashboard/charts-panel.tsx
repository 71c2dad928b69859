// Charts of the metrics over 5 minutes, an hour, a day or a week, with events marked.
import { SegmentedControl, Skeleton } from '@mantine/core';
import type { MonitorEvent, MonitorRange, MonitorSnapshot } from '@srs-stack/contract';
import { monitorRanges } from '@srs-stack/contract/values/monitor.ts';
import { IconChartLine } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { languages } from '../../i18n/languages.ts';
import { useLocale } from '../../navigation/current-locale.ts';
import { timeFormatOf } from '../../shared/monitor/time-format.ts';
import { QueryPlaceholder } from '../../shared/query-placeholder.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TimeChart } from '../../ui/time-chart/time-chart.tsx';
import { chartsOf } from './charts.ts';
import classes from './dashboard.module.css';
import { useEventText } from './event-text.ts';
import { formatsOf } from './formats.ts';
import { mergedEvents, withSnapshots } from './live-history.ts';
import { useHistory, useRecentSnapshots } from './queries.ts';

interface CurrentMetrics {
  snapshot: MonitorSnapshot;
  events: readonly MonitorEvent[];
}

export interface ChartsPanelProps extends CurrentMetrics {
  range: MonitorRange;
  onRange: (range: MonitorRange) => void;
}

export function ChartsPanel({ snapshot, events, range, onRange }: ChartsPanelProps) {
  const { t } = useTranslation('dashboard');
  const history = useHistory(range);
  return (
    <Panel
      title={t('charts.title')}
      description={t('charts.text')}
      icon={<IconChartLine size={20} aria-hidden />}
      actions={
        <SegmentedControl
          aria-label={t('charts.range')}
          size="xs"
          value={range}
          onChange={(value) => onRange(value as MonitorRange)}
          data={monitorRanges.map((value) => ({ value, label: t(`range.${value}`) }))}
        />
      }
    >
      {history.data ? (
        <Charts history={history.data} snapshot={snapshot} events={events} />
      ) : (
        <QueryPlaceholder query={history} skeleton={<ChartsSkeleton />} />
      )}
    </Panel>
  );
}

function ChartsSkeleton() {
  return (
    <div className={classes.charts}>
      {[1, 2, 3, 4].map((place) => (
        <Skeleton key={place} height={250} radius="md" />
      ))}
    </div>
  );
}

interface ChartsProps extends CurrentMetrics {
  history: NonNullable<ReturnType<typeof useHistory>['data']>;
}

function Charts({ history, snapshot, events }: ChartsProps) {
  const { t } = useTranslation('dashboard');
  const language = languages[useLocale()].htmlLang;
  const eventText = useEventText();
  const recent = useRecentSnapshots(snapshot);
  const { range } = history;
  // Pushed snapshots extend only the shortest range (5 minutes). Longer ranges are fetched again periodically.
  const data = useMemo(() => withSnapshots(history, range === '5m' ? recent : []), [history, range, recent]);
  const formats = useMemo(() => formatsOf(language), [language]);
  const formatTime = useMemo(() => timeFormatOf(range, language), [range, language]);
  const marks = useMemo(
    () =>
      mergedEvents(history.events, events)
        .map((event) => ({ event, atMs: Date.parse(event.at) }))
        .filter(({ atMs }) => atMs >= data.fromMs && atMs <= data.toMs)
        .map(({ event, atMs }) => ({ atMs, label: eventText(event), color: markColor(event) })),
    [history.events, events, data.fromMs, data.toMs, eventText],
  );
  const charts = useMemo(() => chartsOf(data.mean, t), [data.mean, t]);
  return (
    <div className={classes.charts} data-range={range}>
      {charts.map(({ id, lines, format, leastTop }) => (
        <TimeChart
          key={id}
          title={t(`chart.${id}`)}
          timesMs={data.timesMs}
          lines={lines}
          marks={marks}
          fromMs={data.fromMs}
          toMs={data.toMs}
          format={formats[format]}
          isBinary={format === 'bytes'}
          isWhole={format === 'count'}
          formatTime={formatTime}
          leastTop={leastTop}
          group="dashboard"
          summary={lines
            .map(({ label, values }) => {
              const newest = values.findLast((value) => value !== null);
              return `${label} ${newest === undefined || newest === null ? '–' : formats[format](newest)}`;
            })
            .join(', ')}
        />
      ))}
    </div>
  );
}

function markColor({ severity, kind }: MonitorEvent): string {
  if (severity === 'error') return '--broken';
  if (severity === 'warning' || kind === 'unpublish') return '--attention';
  return '--accent';
}
