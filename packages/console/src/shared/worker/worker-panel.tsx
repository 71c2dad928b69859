import type { WorkerKind, WorkerStatus } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { FfmpegView } from './ffmpeg-view.tsx';
import { HeartbeatBar } from './heartbeat-bar.tsx';
import { PushMetrics, type PushMetricsProps } from './push-metrics.tsx';
import classes from './worker-panel.module.css';
import type { WorkerFacts } from './worker-phase.ts';
import { WorkerReasonNote } from './worker-reason.tsx';

export interface WorkerPanelProps {
  kind: WorkerKind;
  row: WorkerFacts &
    Pick<WorkerStatus, 'reasonDetail' | 'detail' | 'heartbeat'> &
    PushMetricsProps['row'] & { platform?: string };
  asOfMs: number;
}

export function WorkerPanel({ kind, row, asOfMs }: WorkerPanelProps) {
  const { t } = useTranslation('worker');
  return (
    <div className={classes.panel}>
      <WorkerReasonNote facts={row} reported={row} />
      <PushMetrics row={row} />
      {row.enabled && (
        <div>
          <h3 className={classes.title}>{t('heartbeat.title')}</h3>
          <HeartbeatBar heartbeat={row.heartbeat} asOfMs={asOfMs} />
        </div>
      )}
      <FfmpegView kind={kind} platform={row.platform ?? ''} />
    </div>
  );
}
