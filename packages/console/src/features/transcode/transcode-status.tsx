import { Skeleton } from '@mantine/core';
import type { TranscodeConfig, TranscodeTask } from '@srs-stack/contract';
import { buildAddresses } from '@srs-stack/contract/addresses.ts';
import { IconTransform } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useEnvironment } from '../../shared/environment.ts';
import { formatBytes } from '../../shared/format-bytes.ts';
import { formatTimestamp } from '../../shared/format-time.ts';
import { maskSecret } from '../../shared/publish-guide/mask-secret.ts';
import { QueryPlaceholder } from '../../shared/query-placeholder.tsx';
import { WorkerBadge } from '../../shared/worker/worker-badge.tsx';
import { WorkerPanel } from '../../shared/worker/worker-panel.tsx';
import { workerPhase } from '../../shared/worker/worker-phase.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ownOutputStream } from './output-stream.ts';
import { useTranscodeTask } from './queries.ts';
import { StreamComparison } from './stream-comparison.tsx';
import classes from './transcode.module.css';

const StreamImage = lazy(() => import('../../shared/stream-image.tsx'));

export interface TranscodeStatusProps {
  config: TranscodeConfig;
  publishSecret: string;
}

export function TranscodeStatus(props: TranscodeStatusProps) {
  const { config } = props;
  const { t } = useTranslation('transcode');
  const task = useTranscodeTask();
  return (
    <section className={classes.status} aria-label={t('status.title')}>
      <header className={classes.head}>
        <h2>{t('status.title')}</h2>
        {task.data && (
          <span role="status">
            <WorkerBadge facts={task.data} activeWord={t('transcoding')} asOfMs={task.dataUpdatedAt} />
          </span>
        )}
      </header>
      {task.data ? (
        <TaskBody {...props} task={task.data} asOfMs={task.dataUpdatedAt} />
      ) : (
        <QueryPlaceholder query={task} skeleton={<Skeleton h={config.all ? { base: 720, sm: 420 } : 224} />} />
      )}
    </section>
  );
}

function TaskBody({ config, publishSecret, task, asOfMs }: TranscodeStatusProps & TaskProps) {
  const { t } = useTranslation('transcode');
  const phase = workerPhase(task);
  const output = ownOutputStream(config, location.hostname);
  return (
    <>
      {phase === 'active' ? (
        output && <Preview {...output} />
      ) : (
        <EmptyState
          compact
          icon={<IconTransform size={26} stroke={1.6} aria-hidden />}
          title={t(phase === 'inactive' ? 'status.offTitle' : 'status.waitTitle')}
        >
          {t(phase === 'inactive' ? 'status.off' : 'status.wait')}
        </EmptyState>
      )}
      {phase === 'active' && (
        <StreamComparison input={task.input} output={output} height={config.picture?.height ?? 0} />
      )}
      {task.enabled && <TaskFacts task={task} publishSecret={publishSecret} />}
      <WorkerPanel kind="transcode" row={task} asOfMs={asOfMs} />
    </>
  );
}

interface TaskProps {
  task: TranscodeTask;
  asOfMs: number;
}

function TaskFacts({ task, publishSecret }: { task: TranscodeTask; publishSecret: string }) {
  const { t, i18n } = useTranslation('transcode');
  const percent = Math.round(task.cpuPercent).toLocaleString(i18n.language);
  const cost = t('status.cpuValue', { percent, memory: formatBytes(task.rssBytes, i18n.language) });
  const facts = [
    ['cpu', task.pid > 0 ? cost : ''],
    ['input', maskSecret(task.input, publishSecret)],
    ['output', maskSecret(task.output, publishSecret)],
    ['update', task.frame.update && formatTimestamp(task.frame.update)],
    ['log', task.frame.log],
  ] as const;
  const known = facts.filter(([, value]) => value !== '');
  if (known.length === 0) return null;
  return (
    <dl className={classes.facts}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{t(`status.${name}`)}</dt>
          <dd data-mono={(name !== 'update' && name !== 'cpu') || undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Preview({ app, stream }: { app: string; stream: string }) {
  const { rtmpPort, srtPort, httpPort } = useEnvironment();
  const { flvUrl } = buildAddresses({
    hostname: location.hostname,
    scheme: location.protocol === 'https:' ? 'https' : 'http',
    pagePort: location.port,
    rtmpPort,
    srtPort,
    httpPort,
    app,
    stream,
  });
  return (
    <Suspense fallback={<Skeleton className={classes.picture!} />}>
      <StreamImage address={flvUrl} />
    </Suspense>
  );
}
