// Creates a self-signed certificate. Browsers show a warning, but WebRTC and scripts work.
import { Button, Text } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { useTranslation } from 'react-i18next';
import { EquivalentCall } from '../../../shared/equivalent-call.tsx';
import { ConfirmPopover } from '../../../ui/confirm-popover.tsx';
import { showToast } from '../../../ui/toast.ts';
import classes from './https.module.css';
import { CallProblem } from './problem-alert.tsx';
import { useSelfSigned } from './queries.ts';

/** @param inUse fingerprint of the displayed certificate; '' without a certificate, undefined while it is unknown. */
export function SelfSignedForm({ inUse }: { inUse: string | undefined }) {
  const { t } = useTranslation('certificates');
  const make = useSelfSigned(() => void showToast({ message: t('self.saved') }));
  const request = { replace: true, domain: location.hostname };
  return (
    <div className={classes.form}>
      <Text size="sm" mb="md">
        {t('self.text', { name: location.hostname })}
      </Text>
      <ConfirmPopover text={t('self.confirm')} onConfirm={() => make.mutate({ ...request, replaces: inUse })}>
        <Button loading={make.isPending}>{t('self.make')}</Button>
      </ConfirmPopover>
      <CallProblem error={make.error} />
      <EquivalentCall endpoint={calls.createSelfSignedCertificate} request={request} />
    </div>
  );
}
