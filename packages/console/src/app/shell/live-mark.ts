// Marks the browser tab while a stream is live: adds a dot to the icon, and a dot and the number of viewers to the title.
import { useEffect } from 'react';
import { languages } from '../../i18n/languages.ts';
import { useLocale } from '../../navigation/current-locale.ts';
import { useLiveStreams } from '../../shared/live-streams.ts';
import { useDocumentTitle } from './beian.ts';

export function useLiveMark(): void {
  const locale = useLocale();
  const streams = useLiveStreams().data?.streams ?? [];
  const isLive = streams.length > 0;
  const viewers = streams.reduce((sum, stream) => sum + stream.viewers, 0);
  const count = viewers === 0 ? '' : `${viewers.toLocaleString(languages[locale].htmlLang)} – `;
  useDocumentTitle(isLive ? `● ${count}` : '');
  useEffect(() => {
    const sign = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!sign) return;
    const quiet = sign.href;
    if (isLive) sign.href = quiet.replace('favicon.svg', 'favicon-live.svg');
    return () => {
      sign.href = quiet;
    };
  }, [isLive]);
}
