import { Button, Skeleton } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { IconKey } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EquivalentCall } from '../../../shared/equivalent-call.tsx';
import { QueryPlaceholder } from '../../../shared/query-placeholder.tsx';
import { ConfirmPopover } from '../../../ui/confirm-popover.tsx';
import { CopyField } from '../../../ui/copy-field.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { showToast } from '../../../ui/toast.ts';
import { useRotateSecret } from './queries.ts';

export function SecretPanel({ secret }: { secret: UseQueryResult<string> }) {
  const { t } = useTranslation('openapi');
  const rotate = useRotateSecret(() => void showToast({ message: t('secret.rotated') }));
  return (
    <Panel title={t('secret.title')} description={t('secret.text')} icon={<IconKey size={20} aria-hidden />}>
      {secret.data !== undefined ? (
        <div style={{ maxWidth: '44rem' }}>
          <CopyField key={secret.data} label={t('secret.label')} value={secret.data} secret />
          <ConfirmPopover dangerous text={t('secret.confirm')} onConfirm={() => rotate.mutate({ rotateSecret: true })}>
            <Button mt="md" color="amber" variant="outline" loading={rotate.isPending}>
              {t('secret.rotate')}
            </Button>
          </ConfirmPopover>
          <EquivalentCall endpoint={calls.signOutEverywhere} request={{ rotateSecret: true }} />
        </div>
      ) : (
        <QueryPlaceholder query={secret} skeleton={<Skeleton height={178} />} />
      )}
    </Panel>
  );
}
