// The newest image of a camera, or the reason for its absence.
import type { LiveStream, WorkerReason } from '@srs-stack/contract';
import { IconDeviceCctv, IconDeviceCctvOff } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useVisible } from '../../shared/use-visible.ts';
import { shownReason } from '../../shared/worker/worker-phase.ts';
import { WorkerReasonNote } from '../../shared/worker/worker-reason.tsx';
import classes from './cameras.module.css';
import { type CameraRow, useCameraImage } from './queries.ts';

/** Reasons with separate texts for cameras: the common texts mention platforms and stream keys. */
const ownReasons = [
  'address-refused',
  'codec-unsupported',
  'connection-closed',
  'connection-refused',
  'failed',
  'input-invalid',
  'not-authorized',
  'not-found',
  'publish-rejected',
  'stalled',
  'timeout',
  'tls-failed',
] as const;
type OwnReason = (typeof ownReasons)[number];

export interface CameraViewProps {
  row: CameraRow | undefined;
  stream: LiveStream | undefined;
  title: string;
}

export function CameraView({ row, stream, title }: CameraViewProps) {
  const { t } = useTranslation('cameras');
  const place = useRef<HTMLDivElement>(null);
  const isVisible = useVisible(place, { initially: false });
  const image = useCameraImage(stream?.id, isVisible);
  const isFailing = row !== undefined && shownReason(row) !== undefined;
  const Sign = row?.enabled === false ? IconDeviceCctvOff : IconDeviceCctv;
  return (
    <div ref={place} className={classes.view} data-failing={isFailing || undefined}>
      {isFailing && <Trouble row={row} />}
      {!isFailing && image && <img src={image} alt={t('picture', { title })} decoding="async" />}
      {!isFailing && !image && row && isWaitingForViewers(row) && <p className={classes.idle}>{t('waits')}</p>}
      {!isFailing && !image && !(row && isWaitingForViewers(row)) && <Sign size={36} stroke={1.4} aria-hidden />}
    </div>
  );
}

/** Whether the camera starts on demand and has no viewers. */
export function isWaitingForViewers(row: CameraRow): boolean {
  return row.enabled && row.onDemand && row.state === 'waiting' && row.reason === 'none';
}

function Trouble({ row }: { row: CameraRow }) {
  const { t } = useTranslation('cameras');
  const textsOf = (reason: WorkerReason) =>
    isOwn(reason) ? { what: t(`reason.${reason}.what`), remedy: t(`reason.${reason}.remedy`) } : undefined;
  return <WorkerReasonNote facts={row} reported={row} textsOf={textsOf} />;
}

function isOwn(reason: WorkerReason): reason is OwnReason {
  return (ownReasons as readonly WorkerReason[]).includes(reason);
}
