// Metrics of a stream that the media server sends to a target without FFmpeg.
import type { PushMetrics as Metrics, WorkerFailure } from '@srs-stack/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Sparkline } from '../../ui/sparkline.tsx';
import { formatBitrate } from '../format-bitrate.ts';
import { formatTimestamp } from '../format-time.ts';
import classes from './push-metrics.module.css';
import { shownReason, type WorkerFacts } from './worker-phase.ts';

export interface PushMetricsProps {
  row: WorkerFacts & { push?: Metrics | undefined; lastError?: WorkerFailure | undefined };
}

export function PushMetrics({ row }: PushMetricsProps) {
  const { push, lastError } = row;
  // While the task fails, the page shows the reason elsewhere.
  const failure = shownReason(row) === undefined ? lastError : undefined;
  if (!row.enabled || (!push && !failure)) return null;
  return (
    <div className={classes.figures}>
      {push && <Rate push={push} />}
      <dl className={classes.facts}>
        {push && <SentFacts push={push} />}
        {failure && <LastError failure={failure} />}
      </dl>
    </div>
  );
}

function Rate({ push }: { push: Metrics }) {
  const { t, i18n } = useTranslation('worker');
  const rate = formatBitrate(push.bitrateKbps * 1_000, i18n.language);
  return (
    <div className={classes.rate}>
      <Sparkline values={push.bitrateHistoryKbps} label={t('push.bitrateLabel', { rate })} height={30} />
      <span>{rate}</span>
    </div>
  );
}

function SentFacts({ push }: { push: Metrics }) {
  const { t, i18n } = useTranslation('worker');
  const number = (value: number) => value.toLocaleString(i18n.language);
  const seconds = (push.queuedMs / 1_000).toLocaleString(i18n.language, { maximumFractionDigits: 1 });
  return (
    <>
      <Fact name={t('push.delay')}>{t('push.seconds', { seconds })}</Fact>
      <Fact name={t('push.dropped')}>{number(push.droppedFrames)}</Fact>
      <Fact name={t('push.reconnects')}>{number(push.reconnects)}</Fact>
    </>
  );
}

function LastError({ failure }: { failure: WorkerFailure }) {
  const { t } = useTranslation('worker');
  return (
    <Fact name={t('push.lastError')}>
      <span title={failure.reasonDetail}>{t(`reason.${failure.reason}.what`)}</span> · {formatTimestamp(failure.at)}
    </Fact>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
