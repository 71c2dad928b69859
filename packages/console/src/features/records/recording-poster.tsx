// The poster of a recording. Without a poster (audio only, not created yet, or the node is down), an icon is shown.
import type { RecordRow } from '@srs-stack/contract';
import { IconMovie } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './record.module.css';
import { linksOf } from './recording-facts.ts';

export function RecordingPoster({ row }: { row: RecordRow }) {
  const [isMissing, setIsMissing] = useState(false);
  if (isMissing || row.node?.isAway) return <IconMovie size={26} stroke={1.4} aria-hidden />;
  return (
    <img
      className={classes.poster}
      src={linksOf(row).poster}
      alt=""
      loading="lazy"
      decoding="async"
      width={160}
      height={90}
      onError={() => setIsMissing(true)}
    />
  );
}
