// Keys that sign playback links. A new key is shown only once.
import { Alert, Button } from '@mantine/core';
import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { maxWatchKeys } from '@srs-stack/contract/limits.ts';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiKey, apiMutation } from '../../../api/api-query.ts';
import { useReportError } from '../../../shared/errors/error-report.tsx';
import { formatTimestamp } from '../../../shared/format-time.ts';
import { ConfirmPopover } from '../../../ui/confirm-popover.tsx';
import { CopyField } from '../../../ui/copy-field.tsx';
import classes from './watching.module.css';

type Keys = ResponseOf<typeof calls.queryWatching>['keys'];

export function KeyList({ keys }: { keys: Keys }) {
  const { t } = useTranslation('watching');
  const client = useQueryClient();
  const onError = useReportError();
  const refresh = () => client.invalidateQueries({ queryKey: apiKey(calls.queryWatching) });
  const create = useMutation({ ...apiMutation(calls.createWatchKey), onSuccess: refresh, onError });
  const revoke = useMutation({ ...apiMutation(calls.revokeWatchKey), onSuccess: refresh, onError });
  const made = create.data && keys.some(({ id }) => id === create.data.id) ? create.data : undefined;
  return (
    <div className={classes.form}>
      {keys.length === 0 && <p className={classes.quiet}>{t('keys.none')}</p>}
      <ul className={classes.rows} aria-label={t('keys.title')}>
        {keys.map(({ id, last4, createdAt }) => (
          <li key={id} className={classes.key}>
            <code>{id}</code>
            <span className={classes.quiet}>{t('keys.facts', { last4, time: formatTimestamp(createdAt) })}</span>
            <ConfirmPopover dangerous text={t('keys.confirm', { id })} onConfirm={() => revoke.mutate({ id })}>
              <Button size="xs" variant="default" loading={revoke.isPending && revoke.variables.id === id}>
                {t('keys.revoke')}
              </Button>
            </ConfirmPopover>
          </li>
        ))}
      </ul>
      {made && (
        <Alert color="green" variant="light" mb="md">
          <CopyField label={t('keys.secret', { id: made.id })} value={made.secret} hint={t('keys.once')} />
        </Alert>
      )}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={keys.length >= maxWatchKeys}
        loading={create.isPending}
        onClick={() => create.mutate({})}
      >
        {t('keys.create')}
      </Button>
      {keys.length >= maxWatchKeys && <p className={classes.quiet}>{t('keys.full')}</p>}
    </div>
  );
}
