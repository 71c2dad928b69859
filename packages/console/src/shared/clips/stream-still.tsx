// A preview image. Missing images are requested again, because the server renders few at a time.
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './clip.module.css';
import { type StoryboardImage, timeOfDay } from './clip-times.ts';

const tries = 4;
const pauseMs = 2_000;

export function StreamStill({ picture }: { picture: StoryboardImage | undefined }) {
  return <Still key={picture?.url} picture={picture} />;
}

function Still({ picture }: { picture: StoryboardImage | undefined }) {
  const { t } = useTranslation('clips');
  const [attempt, setAttempt] = useState(0);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (!hasFailed || attempt >= tries) return;
    const timer = setTimeout(() => {
      setAttempt(attempt + 1);
      setFailed(false);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [hasFailed, attempt]);
  if (!picture || hasFailed) return <span className={classes.still} role="img" aria-label={t('noPicture')} />;
  const alt = t('picture', { time: timeOfDay(picture.atMs) });
  return <img className={classes.still} src={picture.url} alt={alt} onError={() => setFailed(true)} />;
}
