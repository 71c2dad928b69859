// Panel that allows publishing without a secret. While a secret is required, only ?allow-noauth=true shows the panel.
import { Alert, Button } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { IconAlertTriangle, IconLockOpen } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { EquivalentCall } from '../../../shared/equivalent-call.tsx';
import { ConfirmPopover } from '../../../ui/confirm-popover.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { showToast } from '../../../ui/toast.ts';
import { useDisablePublishSecret } from './queries.ts';

export function NoAuthPanel({ pubNoAuth, revision }: { pubNoAuth: boolean; revision: string }) {
  const { t } = useTranslation('publish-secret');
  const word = pubNoAuth ? 'off' : 'on';
  const set = useDisablePublishSecret(() => void showToast({ message: t('noAuth.saved') }));
  return (
    <Panel
      title={t('noAuth.title')}
      description={t('noAuth.text')}
      icon={<IconLockOpen size={20} aria-hidden />}
      actions={<StatusBadge state={pubNoAuth ? 'error' : 'good'}>{t(`noAuth.state.${word}`)}</StatusBadge>}
    >
      {pubNoAuth ? (
        <Alert color="amber" icon={<IconAlertTriangle aria-hidden />} mb="md">
          {t('noAuth.warning')}
        </Alert>
      ) : null}
      {pubNoAuth ? (
        <Button loading={set.isPending} onClick={() => set.mutate({ pubNoAuth: false, revision })}>
          {t('noAuth.enable')}
        </Button>
      ) : (
        <ConfirmPopover
          dangerous
          text={t('noAuth.confirm')}
          onConfirm={() => set.mutate({ pubNoAuth: true, revision })}
        >
          <Button color="amber" variant="outline" loading={set.isPending}>
            {t('noAuth.disable')}
          </Button>
        </ConfirmPopover>
      )}
      <EquivalentCall endpoint={calls.disablePublishSecret} request={{ pubNoAuth: !pubNoAuth }} />
    </Panel>
  );
}
