// Shows by colour, shape and label whether metrics are pushed, polled or stale.
import { useTranslation } from 'react-i18next';
import classes from './freshness-dot.module.css';
import type { Freshness } from './use-monitor.ts';

export interface FreshnessDotProps {
  freshness: Freshness;
  /** Makes the label visible. By default, only screen readers and the tooltip use the label. */
  withText?: boolean;
}

export function FreshnessDot({ freshness: { state, ageSeconds }, withText = false }: FreshnessDotProps) {
  const { t } = useTranslation();
  const text = t(`freshness.${state}`, { seconds: ageSeconds });
  return (
    <span className={classes.freshness} data-freshness={state} title={text}>
      <span className={classes.dot} aria-hidden />
      <span className={withText ? undefined : classes.offscreen}>{text}</span>
    </span>
  );
}
