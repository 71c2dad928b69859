// Disconnects the encoder after a confirmation that states the consequences.
import { Button } from '@mantine/core';
import type { LiveStream } from '@srs-stack/contract';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useErrorTexts } from '../../../shared/errors/error-texts.ts';
import { ConfirmPopover } from '../../../ui/confirm-popover.tsx';
import { showToast } from '../../../ui/toast.ts';
import { kickMutation, liveQuery } from '../queries.ts';

export function KickButton({ stream }: { stream: LiveStream }) {
  const { t } = useTranslation('live');
  const client = useQueryClient();
  const { lineOf } = useErrorTexts();
  const kick = useMutation({
    ...kickMutation,
    onSuccess: () => void showToast({ message: t('kick.done', { name: stream.stream }) }),
    onError: (error) => void showToast({ message: t('kick.failed', { reason: lineOf(error) }), tone: 'bad' }),
    onSettled: () => client.invalidateQueries({ queryKey: liveQuery.queryKey }),
  });
  const { vhost, app, stream: name, viewers } = stream;
  return (
    <ConfirmPopover
      dangerous
      text={t('kick.consequence', { name, count: viewers })}
      onConfirm={() => kick.mutate({ vhost, app, stream: name })}
    >
      <Button
        size="xs"
        variant="default"
        loading={kick.isPending}
        leftSection={<IconPlugConnectedX size={16} aria-hidden />}
      >
        {t('kick.button')}
      </Button>
    </ConfirmPopover>
  );
}
