// Plays a recording on the page. Until the MP4 exists, the recorded part is played over HLS.
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { playHls, unload } from '../../shared/play-hls.ts';
import classes from './record.module.css';
import { type RecordingLinks, withAttempt } from './recording-facts.ts';

export function RecordingPlayer({ links }: { links: Pick<RecordingLinks, 'played' | 'playlist'> }) {
  const { t } = useTranslation('records');
  const video = useRef<HTMLVideoElement>(null);
  const [attempt, setAttempt] = useState(0);
  const [hasFailed, setHasFailed] = useState(false);
  const { played, playlist } = links;
  useEffect(() => {
    // Without braces, the effect would return the promise of `scrollIntoView` in newer browsers, which React would take
    // for a clean-up function.
    video.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }, []);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    setHasFailed(false);
    const onFailure = () => setHasFailed(true);
    const stop = played ? playFile(element, played) : playHls(element, withAttempt(playlist, attempt), { onFailure });
    element.addEventListener('error', onFailure);
    return () => {
      element.removeEventListener('error', onFailure);
      stop();
    };
  }, [played, playlist, attempt]);
  return (
    <div className={classes.player}>
      {/* biome-ignore lint/a11y/useMediaCaption: recordings of live streams have no captions */}
      <video
        ref={video}
        className={classes.video}
        controls
        playsInline
        autoPlay
        preload="metadata"
        aria-label={t('player.label')}
      />
      {(hasFailed || !played) && (
        <div className={classes.playerNote} role={hasFailed ? 'alert' : undefined}>
          <span>{t(hasFailed ? 'player.failed' : 'player.soFar')}</span>
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconRefresh size={14} aria-hidden />}
            onClick={() => setAttempt(attempt + 1)}
          >
            {t('player.reload')}
          </Button>
        </div>
      )}
    </div>
  );
}

function playFile(video: HTMLVideoElement, url: string): () => void {
  video.src = url;
  return () => unload(video);
}
