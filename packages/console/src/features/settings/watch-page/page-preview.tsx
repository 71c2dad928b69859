// Preview of the watch page with unsaved values. Optionally shows the page as it is before the stream starts.
import { SegmentedControl } from '@mantine/core';
import { defaultApp, defaultStreamName } from '@srs-stack/contract/constants.ts';
import type { WatchPageLook } from '@srs-stack/contract/values/watch-page.ts';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exampleOf } from './look-draft.ts';
import classes from './watch-page.module.css';

const moments = ['now', 'before'] as const;
type Moment = (typeof moments)[number];

export function PagePreview({ look }: { look: WatchPageLook }) {
  const { t, i18n } = useTranslation('watch-page');
  const frame = useRef<HTMLIFrameElement>(null);
  const [readyCount, setReadyCount] = useState(0);
  const [moment, setMoment] = useState<Moment>('now');
  const stream = exampleOf(look.pattern, `${defaultApp}/${defaultStreamName}`);
  const path = stream.split('/').map(encodeURIComponent).join('/');
  const text = JSON.stringify(look);
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent) => {
      if (source === frame.current?.contentWindow && data?.srsStack === 'preview') setReadyCount((count) => count + 1);
    };
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }, []);
  useEffect(() => {
    if (readyCount === 0) return;
    frame.current?.contentWindow?.postMessage(
      { srsStack: 'look', look: JSON.parse(text), isWaiting: moment === 'before' },
      location.origin,
    );
  }, [text, moment, readyCount]);
  return (
    <aside className={classes.preview} aria-label={t('preview')}>
      <div className={classes.previewHead}>
        <p className={classes.previewTitle}>{t('preview')}</p>
        <SegmentedControl
          size="xs"
          aria-label={t('previewMoment')}
          value={moment}
          onChange={(value) => setMoment(value as Moment)}
          data={moments.map((value) => ({ value, label: t(`moment.${value}`) }))}
        />
      </div>
      <iframe
        ref={frame}
        className={classes.frame}
        title={t('previewOf', { stream })}
        src={`/watch/${path}?preview=1&lang=${i18n.language.slice(0, 2)}`}
      />
    </aside>
  );
}
