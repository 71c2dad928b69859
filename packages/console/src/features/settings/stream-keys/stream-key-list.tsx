import { Button } from '@mantine/core';
import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { IconKeyOff } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiKey, apiMutation } from '../../../api/api-query.ts';
import { useReportError } from '../../../shared/errors/error-report.tsx';
import { formatTimestamp } from '../../../shared/format-time.ts';
import { ConfirmPopover } from '../../../ui/confirm-popover.tsx';
import { CopyField } from '../../../ui/copy-field.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { showToast } from '../../../ui/toast.ts';
import classes from './stream-keys.module.css';

type StreamKey = ResponseOf<typeof calls.queryStreamKeys>['keys'][number];

export function StreamKeyList({ keys }: { keys: readonly StreamKey[] }) {
  const { t } = useTranslation('stream-keys');
  if (keys.length === 0) {
    return (
      <EmptyState compact icon={<IconKeyOff aria-hidden />} title={t('none.title')}>
        {t('none.text')}
      </EmptyState>
    );
  }
  return (
    <ul className={classes.keys} aria-label={t('title')}>
      {keys.map((key) => (
        <li key={key.id}>
          <StreamKeyRow streamKey={key} />
        </li>
      ))}
    </ul>
  );
}

function StreamKeyRow({ streamKey }: { streamKey: StreamKey }) {
  const { t } = useTranslation('stream-keys');
  const { id, name, pattern, secret, expiresAt, lastUse } = streamKey;
  const client = useQueryClient();
  const onError = useReportError();
  const revoke = useMutation({
    ...apiMutation(calls.revokeStreamKey),
    onSuccess: async ({ ended }) => {
      await client.invalidateQueries({ queryKey: apiKey(calls.queryStreamKeys) });
      void showToast({ message: t('revoked', { name, count: ended }) });
    },
    onError,
  });
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  const used = lastUse
    ? t('used', { time: formatTimestamp(lastUse.at), stream: `${lastUse.app}/${lastUse.stream}`, ip: lastUse.ip })
    : t('unused');
  return (
    <article className={classes.key}>
      <header className={classes.head}>
        <h3 className={classes.name}>{name}</h3>
        <code className={classes.pattern}>{pattern}</code>
        {isExpired && <StatusBadge state="error">{t('expired')}</StatusBadge>}
        <ConfirmPopover dangerous text={t('confirm', { name })} onConfirm={() => revoke.mutate({ id })}>
          <Button className={classes.revoke} size="xs" variant="default" loading={revoke.isPending}>
            {t('revoke')}
          </Button>
        </ConfirmPopover>
      </header>
      <CopyField label={t('secret')} value={`secret=${secret}`} name={name} secret hint={t('secretHint')} />
      <p className={classes.facts}>
        {expiresAt === null ? t('forEver') : t('until', { time: formatTimestamp(expiresAt) })} · {used}
      </p>
    </article>
  );
}
