// An animated level meter that decorates the setup and login pages. The meter stands still if the visitor prefers reduced motion.
import { useTranslation } from 'react-i18next';
import classes from './signal-image.module.css';

/** Heights of the bars, percent of the illustration. */
const levels = Array.from({ length: 40 }, (_, index) => {
  const wave = Math.sin(index / 3.1) * 0.3 + Math.sin(index / 1.7 + 2) * 0.16 + Math.sin(index / 7 + 1) * 0.28;
  return Math.round((0.44 + wave * 0.6) * 100);
});

export function SignalImage() {
  const { t } = useTranslation();
  return (
    <div className={classes.picture} aria-hidden="true">
      <span className={classes.tally}>{t('standby')}</span>
      <div className={classes.meter}>
        {levels.map((level, index) => (
          <i
            // biome-ignore lint/suspicious/noArrayIndexKey: the bars are fixed
            key={index}
            style={{ height: `${Math.max(level, 8)}%`, animationDelay: `${Math.sin(index / 4) * 2 - 2.5}s` }}
          />
        ))}
      </div>
    </div>
  );
}
