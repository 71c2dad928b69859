// Progress of an order: each step with its state, and the result.
import { Alert, Loader } from '@mantine/core';
import type { CertificateOrder } from '@srs-stack/contract';
import { certificateOrderSteps } from '@srs-stack/contract/values/certificates.ts';
import { IconCheck, IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './https.module.css';
import { ProblemAlert } from './problem-alert.tsx';

const steps = certificateOrderSteps.filter((step) => step !== 'done' && step !== 'failed');

export function OrderProgress({ order }: { order: CertificateOrder }) {
  const { t } = useTranslation('certificates');
  if (order.step === 'failed') {
    const { name = '', message = '', reason } = order.error ?? {};
    return <ProblemAlert name={name} message={message} reason={reason} />;
  }
  if (order.step === 'done') {
    return (
      <Alert color="signal" variant="light" mt="md" icon={<IconCircleCheck aria-hidden />} role="status">
        {t(order.isRenewal ? 'order.renewed' : 'order.done', { domain: order.domain })}
      </Alert>
    );
  }
  const now = steps.indexOf(order.step);
  return (
    <ol className={classes.steps} aria-label={t('order.title', { domain: order.domain })} aria-live="polite">
      {steps.map((step, index) => (
        <li
          key={step}
          className={classes.step}
          data-state={index < now ? 'done' : index === now ? 'now' : 'later'}
          aria-current={index === now ? 'step' : undefined}
        >
          {index < now ? (
            <IconCheck size={16} aria-hidden />
          ) : index === now ? (
            <Loader size={16} />
          ) : (
            <IconCircle size={16} aria-hidden />
          )}
          {t(`order.step.${step}`)}
        </li>
      ))}
    </ol>
  );
}
