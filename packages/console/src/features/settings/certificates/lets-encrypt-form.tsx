// Orders a certificate from Let's Encrypt for the domain in the address of the page, and shows the progress of the order.
import { Alert, Button, TextInput } from '@mantine/core';
import type { CertificateState } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { maxDomainLength, maxEmailLength } from '@srs-stack/contract/limits.ts';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EquivalentCall } from '../../../shared/equivalent-call.tsx';
import { useUnsavedChanges } from '../../../shared/unsaved-changes.ts';
import { type DomainProblem, domainProblem, isDomain } from './domain-rules.ts';
import classes from './https.module.css';
import { OrderProgress } from './order-progress.tsx';
import { CallProblem } from './problem-alert.tsx';
import { isRunning, useLetsEncrypt } from './queries.ts';

export function LetsEncryptForm({ state }: { state: CertificateState | undefined }) {
  const { t } = useTranslation('certificates');
  const prefilled = isDomain(location.hostname) ? location.hostname : '';
  const [domain, setDomain] = useState(prefilled);
  const [email, setEmail] = useState<string>();
  const [problem, setProblem] = useState<DomainProblem>();
  const order = useLetsEncrypt(() => setEmail(undefined));
  const contact = email ?? state?.email ?? '';
  const request = { domain: domain.trim(), email: contact.trim() };
  const running = isRunning(state?.order?.step);
  useUnsavedChanges(!running && (domain !== prefilled || email !== undefined) && !order.isSuccess);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const found = domainProblem(domain, location);
    setProblem(found);
    if (!found) order.mutate({ ...request, wait: false, replaces: state && (state.certificate?.fingerprint ?? '') });
  };
  return (
    <form onSubmit={onSubmit} className={classes.form} noValidate>
      <TextInput
        label={t('lets.domain')}
        description={t('lets.domainHint')}
        value={domain}
        maxLength={maxDomainLength}
        placeholder="live.example.com"
        onChange={(event) => {
          setDomain(event.currentTarget.value);
          setProblem(undefined);
        }}
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput
        mt="md"
        type="email"
        label={t('lets.email')}
        description={t('lets.emailHint')}
        value={contact}
        maxLength={maxEmailLength}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      {problem && (
        <Alert role="alert" color="amber" mt="md">
          {t(`lets.problem.${problem}`, { port: location.port, hostname: location.hostname })}
        </Alert>
      )}
      <CallProblem error={order.error} />
      <Button type="submit" mt="md" loading={order.isPending || running}>
        {t('lets.order')}
      </Button>
      {state?.order && <OrderProgress order={state.order} />}
      <EquivalentCall endpoint={calls.requestLetsEncrypt} request={request} />
    </form>
  );
}
