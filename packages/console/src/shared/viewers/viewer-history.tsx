// Charts of playback quality over a selected time range, for one stream or all streams.
import { SegmentedControl, Skeleton } from '@mantine/core';
import type { MonitorRange, ViewersHistory } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { monitorRanges } from '@srs-stack/contract/values/monitor.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { apiQuery } from '../../api/api-query.ts';
import { languages } from '../../i18n/languages.ts';
import { useLocale } from '../../navigation/current-locale.ts';
import { TimeChart } from '../../ui/time-chart/time-chart.tsx';
import { timeFormatOf } from '../monitor/time-format.ts';
import { QueryPlaceholder } from '../query-placeholder.tsx';
import { viewerCharts, viewerFormats } from './viewer-charts.ts';
import classes from './viewers.module.css';

/** Refetch interval, milliseconds: about the interval of the points, at most a minute. */
const refetchMs: Record<MonitorRange, number> = { '5m': 10_000, '1h': 30_000, '24h': 60_000, '7d': 60_000 };

export interface ViewerHistoryProps {
  /** If undefined, all streams are shown. */
  name?: { app: string; stream: string } | undefined;
  /** If undefined, the operator selects the range. */
  range?: MonitorRange;
  choice?: (history: ViewersHistory) => ReactNode;
  children?: (history: ViewersHistory) => ReactNode;
}

export function ViewerHistory({ name, range: given, choice, children }: ViewerHistoryProps) {
  const { t } = useTranslation('viewers');
  const [chosen, setRange] = useState<MonitorRange>('1h');
  const range = given ?? chosen;
  const query = useQuery({
    ...apiQuery(calls.queryViewers, { range, ...name }),
    refetchInterval: refetchMs[range],
    placeholderData: keepPreviousData,
  });
  const { data } = query;
  return (
    <div className={classes.history}>
      <div className={classes.choices}>
        {data && choice?.(data)}
        {given === undefined && (
          <SegmentedControl
            aria-label={t('range')}
            size="xs"
            value={range}
            onChange={(value) => setRange(value as MonitorRange)}
            data={monitorRanges.map((value) => ({ value, label: t(`ranges.${value}`) }))}
          />
        )}
      </div>
      {data ? (
        <Shown history={data}>{children}</Shown>
      ) : (
        <QueryPlaceholder query={query} skeleton={<Skeleton height={240} radius="md" />} />
      )}
    </div>
  );
}

function Shown({ history, children }: { history: ViewersHistory; children: ViewerHistoryProps['children'] }) {
  const { t } = useTranslation('viewers');
  if (history.outputs.length === 0) {
    return <p className={classes.nothing}>{t(history.viewerReports ? 'nothing' : 'off')}</p>;
  }
  return (
    <>
      <Charts history={history} />
      {children?.(history)}
    </>
  );
}

function Charts({ history }: { history: ViewersHistory }) {
  const { t } = useTranslation('viewers');
  const language = languages[useLocale()].htmlLang;
  const formats = useMemo(() => viewerFormats(language), [language]);
  const formatTime = useMemo(() => timeFormatOf(history.range, language), [history.range, language]);
  const charts = useMemo(() => viewerCharts(history).filter(({ lines }) => lines.length > 0), [history]);
  return (
    <div className={classes.charts} data-range={history.range}>
      {charts.map(({ id, lines, format, leastTop }) => (
        <TimeChart
          key={id}
          title={t(`chart.${id}`)}
          timesMs={history.timesMs}
          lines={lines}
          marks={noMarks}
          fromMs={history.fromMs}
          toMs={history.toMs}
          format={formats[format]}
          isWhole={format === 'people'}
          formatTime={formatTime}
          leastTop={leastTop}
          group="viewers"
          summary={lines
            .map(({ label, values }) => {
              const newest = values.findLast((value) => value !== null);
              return `${label} ${typeof newest === 'number' ? formats[format](newest) : '–'}`;
            })
            .join(', ')}
        />
      ))}
    </div>
  );
}

const noMarks = [] as const;
