// Current item, position and next item of a virtual live stream; the schedule before the stream starts.
import { Alert, Progress } from '@mantine/core';
import type { VliveRow } from '@srs-stack/contract';
import { IconClockPlay, IconPlayerTrackNext } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatTimestamp } from '../../shared/format-time.ts';
import { formatDuration } from '../../shared/streams/format.ts';
import { useNow } from '../../shared/worker/use-now.ts';
import classes from './now-playing.module.css';
import { isAhead } from './start-time.ts';

export interface NowPlayingProps {
  row: VliveRow;
  /** Time of the response, epoch milliseconds. */
  asOfMs: number;
}

export function NowPlaying({ row, asOfMs }: NowPlayingProps) {
  const { t } = useTranslation('vlives');
  const { playing, startAt, enabled } = row;
  const isScheduled = enabled && row.reason === 'scheduled';
  const now = useNow(playing !== undefined || isScheduled);
  if (isScheduled && isAhead(startAt, now)) {
    const facts = { time: formatTimestamp(startAt), left: formatDuration(Date.parse(startAt) - now) };
    return (
      <Alert
        variant="light"
        color="signal"
        p="sm"
        icon={<IconClockPlay aria-hidden />}
        title={t('startTime.at', facts)}
      >
        {t('startTime.left', facts)}
      </Alert>
    );
  }
  const file = playing && row.files[playing.index];
  if (!enabled || !playing || !file) return null;
  const { durationMs, index, nextIndex } = playing;
  const positionMs = Math.min(durationMs, playing.positionMs + Math.max(0, now - asOfMs));
  const next = row.files[nextIndex];
  return (
    <section className={classes.card} aria-label={t('playing.title')}>
      <p className={classes.line}>
        <span className={classes.word}>{t('playing.now')}</span>
        <strong title={file.name}>{file.name || file.target}</strong>
        <span className={classes.place}>{t('playing.place', { place: index + 1, count: row.files.length })}</span>
        <span className={classes.time}>{`${formatDuration(positionMs)} / ${formatDuration(durationMs)}`}</span>
      </p>
      <Progress
        size="sm"
        value={(100 * positionMs) / durationMs}
        aria-label={t('playing.progress', { name: file.name })}
      />
      <p className={classes.next}>
        <IconPlayerTrackNext size={16} aria-hidden />
        {nextIndex === index ? t('playing.again') : t('playing.next', { name: next?.name ?? '' })}
      </p>
    </section>
  );
}
