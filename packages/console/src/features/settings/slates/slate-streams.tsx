import { Progress } from '@mantine/core';
import type { ResponseOf } from '@srs-stack/contract';
import type { calls } from '@srs-stack/contract/calls.ts';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScreenPath } from '../../../navigation/current-locale.ts';
import { SlateBadge } from '../../../shared/streams/slate-badge.tsx';
import { StatusBadge, type StatusState } from '../../../ui/status-badge.tsx';
import { SlateFailure } from './slate-failure.tsx';
import classes from './slates.module.css';

type Row = ResponseOf<typeof calls.querySlates>['streams'][number];

const badges: Readonly<Record<Row['state'], StatusState>> = {
  preparing: 'connecting',
  ready: 'good',
  failed: 'error',
  unsupported: 'stopped',
};

/** Lists the streams whose backup source is on the air. */
export function BackupStreams({ backups }: { backups: ResponseOf<typeof calls.querySlates>['backupsOnAir'] }) {
  const { t } = useTranslation('slates');
  const toScreen = useScreenPath();
  if (backups.length === 0) return null;
  return (
    <ul className={classes.rows} aria-label={t('backups.onAir')}>
      {backups.map(({ stream, onAirMs }) => (
        <li key={stream} className={classes.row}>
          <Link to={toScreen('streams', `?${new URLSearchParams({ stream })}`)} className={classes.name!}>
            {stream}
          </Link>
          <SlateBadge stream={{ backupForMs: onAirMs }} />
        </li>
      ))}
    </ul>
  );
}

export function SlateStreams({ streams }: { streams: readonly Row[] }) {
  const { t } = useTranslation('slates');
  if (streams.length === 0) return <p className={classes.quiet}>{t('streams.none')}</p>;
  return (
    <ul className={classes.rows} aria-label={t('streams.title')}>
      {streams.map((row) => (
        <StreamState key={`${row.app}/${row.stream}`} row={row} />
      ))}
    </ul>
  );
}

function StreamState({ row }: { row: Row }) {
  const { app, stream, state, progress, failure, reason, onAirMs } = row;
  const { t } = useTranslation('slates');
  const toScreen = useScreenPath();
  const path = `${app}/${stream}`;
  return (
    <li className={classes.row}>
      <Link to={toScreen('streams', `?${new URLSearchParams({ stream: path })}`)} className={classes.name!}>
        {path}
      </Link>
      {onAirMs === undefined ? (
        <StatusBadge state={badges[state]}>{t(`state.${state}.name`)}</StatusBadge>
      ) : (
        <SlateBadge stream={{ slateForMs: onAirMs }} />
      )}
      {state === 'preparing' && progress !== undefined && (
        <Progress className={classes.wide!} value={progress * 100} size="sm" aria-label={t('state.preparing.name')} />
      )}
      {onAirMs === undefined && state !== 'ready' && (
        <p className={classes.quiet}>
          {t(`state.${state}.text`)} {failure && <SlateFailure message={failure} reason={reason} />}
        </p>
      )}
      {onAirMs === undefined && <ClipState row={row} />}
    </li>
  );
}

/** Progress of clip preparation. Viewers see the image until the clip is ready. */
function ClipState({ row: { clipProgress, clipFailure, clipReason } }: { row: Row }) {
  const { t } = useTranslation('slates');
  if (clipProgress === undefined && clipFailure === undefined) return null;
  return (
    <>
      {clipProgress !== undefined && (
        <Progress className={classes.wide!} value={clipProgress * 100} size="sm" aria-label={t('clip.preparing')} />
      )}
      <p className={classes.quiet}>
        {t(clipFailure === undefined ? 'clip.preparing' : 'clip.failed')}{' '}
        {clipFailure && <SlateFailure message={clipFailure} reason={clipReason} />}
      </p>
    </>
  );
}
