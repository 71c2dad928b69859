// The certificate in use: names, source, validity, fingerprint.
import { Text } from '@mantine/core';
import type { CertificateState } from '@srs-stack/contract';
import { IconLockOpen } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatTimestamp } from '../../../shared/format-time.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import classes from './https.module.css';

/** Remaining validity from which the operator must act, days. Certificates with automatic renewal are excluded. */
const soonDays = 30;

export function CertificatePanel({ state }: { state: CertificateState }) {
  const { t } = useTranslation('certificates');
  const { certificate, provider } = state;
  if (!certificate) {
    return (
      <EmptyState compact icon={<IconLockOpen size={26} stroke={1.6} aria-hidden />} title={t('none.title')}>
        {t('none.text')}
      </EmptyState>
    );
  }
  const source = certificate.selfSigned ? 'self' : provider === 'lets' ? 'lets' : 'ssl';
  return (
    <dl className={classes.facts}>
      <Fact name={t('fact.names')} value={certificate.names.join(', ') || certificate.subject} />
      <Fact
        name={t('fact.source')}
        value={certificate.selfSigned ? t('way.self') : `${t(`way.${source}`)} · ${certificate.issuer}`}
      />
      <Fact name={t('fact.until')} value={formatTimestamp(certificate.notAfter)}>
        <DaysLeft daysLeft={certificate.daysLeft} renewsItself={provider === 'lets'} />
      </Fact>
      {state.nextRenewalCheck !== '' && (
        <Fact name={t('fact.nextCheck')} value={formatTimestamp(state.nextRenewalCheck)} />
      )}
      <Fact name={t('fact.fingerprint')} value={certificate.fingerprint} isCode />
    </dl>
  );
}

function DaysLeft({ daysLeft, renewsItself }: { daysLeft: number; renewsItself: boolean }) {
  const { t } = useTranslation('certificates');
  if (daysLeft < 0) return <StatusBadge state="error">{t('days.expired')}</StatusBadge>;
  const state = daysLeft < soonDays && !renewsItself ? 'attention' : 'good';
  return <StatusBadge state={state}>{t('days.left', { count: daysLeft })}</StatusBadge>;
}

interface FactProps {
  name: string;
  value: string;
  isCode?: boolean;
  children?: React.ReactNode;
}

function Fact({ name, value, isCode = false, children }: FactProps) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>
        <Text
          span
          size={isCode ? 'xs' : 'sm'}
          style={{ overflowWrap: 'anywhere', ...(isCode && { fontFamily: 'monospace' }) }}
        >
          {value}
        </Text>
        {children}
      </dd>
    </div>
  );
}
