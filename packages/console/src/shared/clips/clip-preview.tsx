// Preview of a clip. Playback starts at the first frame of the clip's first segment.
import { Button, Group, Text } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { playHls } from '../play-hls.ts';
import classes from './clip.module.css';

export interface ClipPreviewProps {
  /** Address of the clip. A new address restarts a running preview, so the caller waits until no handle moves. */
  playlist: string;
  /** Query that authorizes playback; '' for open streams. */
  watchQuery: string;
  children: ReactNode;
}

export function ClipPreview({ playlist, watchQuery, children }: ClipPreviewProps) {
  const { t } = useTranslation('clips');
  /** Authorizing query from the start of playback. A renewed query does not interrupt playback. */
  const [query, setQuery] = useState<string>();
  const isPlaying = query !== undefined;
  return (
    <>
      <Group>
        {children}
        <Button
          variant="default"
          leftSection={isPlaying ? <IconPlayerStop size={16} aria-hidden /> : <IconPlayerPlay size={16} aria-hidden />}
          onClick={() => setQuery(isPlaying ? undefined : watchQuery)}
        >
          {t(isPlaying ? 'preview.stop' : 'preview.play')}
        </Button>
      </Group>
      {isPlaying && <Picture address={query === '' ? playlist : `${playlist}&${query}`} />}
    </>
  );
}

function Picture({ address }: { address: string }) {
  const { t } = useTranslation('clips');
  const video = useRef<HTMLVideoElement>(null);
  const [failed, setFailed] = useState('');
  useEffect(() => {
    // Without braces, the effect would return a promise, which React would call as its clean-up function.
    video.current?.scrollIntoView?.({ block: 'nearest', behavior: 'smooth' });
  }, []);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    const onFailure = () => setFailed(address);
    const stop = playHls(element, address, { fromStart: true, onFailure });
    element.addEventListener('error', onFailure);
    return () => {
      element.removeEventListener('error', onFailure);
      stop();
    };
  }, [address]);
  return (
    <div>
      {/* biome-ignore lint/a11y/useMediaCaption: clips of live streams have no captions */}
      <video ref={video} className={classes.preview} controls playsInline autoPlay aria-label={t('preview.label')} />
      {failed === address && (
        <Text size="sm" role="alert">
          {t('preview.failed')}
        </Text>
      )}
    </div>
  );
}
