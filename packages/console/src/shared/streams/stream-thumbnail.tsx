// Thumbnail of a stream, refreshed while visible; an icon without a thumbnail.

import type { LiveStream } from '@srs-stack/contract';
import { IconMicrophone, IconMovie } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useVisible } from '../use-visible.ts';
import { type StreamSource, useStreamSource } from './stream-source.ts';
import classes from './streams.module.css';

/** Refresh interval, milliseconds. The server renders a thumbnail at most every 10 s. */
const renewMs = 15_000;

export interface StreamThumbnailProps {
  stream: LiveStream;
  className?: string | undefined;
}

export function StreamThumbnail({ stream, className }: StreamThumbnailProps) {
  const { picture } = useStreamSource();
  const place = useRef<HTMLSpanElement>(null);
  const Sign = stream.video ? IconMovie : IconMicrophone;
  return (
    <span ref={place} className={`${classes.thumbnail} ${className ?? ''}`} aria-hidden>
      <Sign size={22} stroke={1.5} />
      {picture && stream.video && <Still picture={picture} streamId={stream.id} place={place} />}
    </span>
  );
}

function Still({
  picture,
  streamId,
  place,
}: {
  picture: NonNullable<StreamSource['picture']>;
  streamId: string;
  place: React.RefObject<HTMLElement | null>;
}) {
  const isVisible = useVisible(place, { initially: false });
  const { data } = useQuery({ ...picture(streamId), enabled: isVisible, refetchInterval: renewMs, retry: false });
  return data ? <img src={data} alt="" decoding="async" /> : null;
}
