// Contents of the bucket, waiting uploads with the reason, and objects that could not be deleted.
import { Button, Group, Stack } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../navigation/current-locale.ts';
import { BucketProblem } from '../../../shared/bucket/bucket-problem.tsx';
import { formatBytes } from '../../../shared/format-bytes.ts';
import { ConfirmPopover } from '../../../ui/confirm-popover.tsx';
import { FactList } from '../../../ui/fact-list.tsx';
import { type ObjectStorage, useRetryBucket } from './queries.ts';

export function BucketStatus({ storage: { status } }: { storage: ObjectStorage }) {
  const { t } = useTranslation('object-storage');
  const locale = useLocale();
  const retry = useRetryBucket();
  const amount = ({ count, bytes }: { count: number; bytes: number }) =>
    count === 0 ? '0' : `${count.toLocaleString(locale)} · ${formatBytes(bytes, locale)}`;
  const { problem, removals } = status;
  const tryNow = (
    <Button
      size="xs"
      variant="default"
      loading={retry.isPending}
      leftSection={<IconRefresh size={14} aria-hidden />}
      onClick={() => retry.mutate({})}
    >
      {t('status.tryNow')}
    </Button>
  );
  return (
    <Stack gap="md">
      <FactList
        tiles="figures"
        facts={[
          [t('status.stored'), amount(status.stored)],
          [t('status.onlyThere'), amount(status.onlyThere)],
          [t('status.waiting'), amount(status.waiting)],
          [t('status.onlyHere'), amount(status.onlyHere)],
        ]}
      />
      {problem && (
        <BucketProblem problem={problem} title={t('status.waits', { count: status.waiting.count })}>
          <Group mt="sm">{tryNow}</Group>
        </BucketProblem>
      )}
      {removals.problem && (
        <BucketProblem problem={removals.problem} title={t('status.notDeleted', { count: removals.count })}>
          <Group mt="sm" gap="xs">
            {tryNow}
            <ConfirmPopover
              dangerous
              text={t('status.leaveText', { count: removals.count })}
              onConfirm={() => retry.mutate({ forgetRemovals: true })}
            >
              <Button size="xs" variant="subtle" color="gray">
                {t('status.leave')}
              </Button>
            </ConfirmPopover>
          </Group>
        </BucketProblem>
      )}
    </Stack>
  );
}
