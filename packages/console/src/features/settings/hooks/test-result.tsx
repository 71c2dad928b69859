// Result of a test: the request body and the response of the target.
import type { HookDelivery } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import classes from './callback.module.css';
import { DeliveryDetail } from './delivery-detail.tsx';
import { OutcomeBadge, useOutcomeText } from './outcome.tsx';

export function TestResult({ delivery }: { delivery: HookDelivery }) {
  const { t } = useTranslation('hooks');
  const outcomeText = useOutcomeText();
  return (
    <section className={classes.result} role="status" aria-label={t('test.result')}>
      <div className={classes.resultHead}>
        <OutcomeBadge outcome={delivery.outcome} />
        <span>{outcomeText(delivery)}</span>
        <span className={classes.quiet}>{t('log.duration', { ms: delivery.durationMs })}</span>
      </div>
      <DeliveryDetail delivery={delivery} />
    </section>
  );
}
