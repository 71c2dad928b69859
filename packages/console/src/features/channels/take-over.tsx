// Starts or ends a live stream on a running channel. Both actions need a confirmation, because viewers see the change immediately.
import { Button, Group, Popover, Text } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { showToast } from '../../ui/toast.ts';
import { LiveStreamField } from './live-stream-field.tsx';
import { type ChannelState, useGiveBack, useTakeOver } from './queries.ts';

export function TakeOver({ state }: { state: ChannelState }) {
  if (state.state !== 'on-air') return null;
  return state.live?.cause === 'takeover' ? (
    <GiveBack state={state} stream={state.live.stream} />
  ) : (
    <PutOn state={state} />
  );
}

function GiveBack({ state, stream }: { state: ChannelState; stream: string }) {
  const { t } = useTranslation('channels');
  const giveBack = useGiveBack();
  const { id, title } = state.channel;
  const onConfirm = () =>
    giveBack.mutate({ id }, { onSuccess: () => void showToast({ message: t('takeover.ended', { title }) }) });
  return (
    <ConfirmPopover text={t('takeover.giveBackText', { title, stream })} onConfirm={onConfirm}>
      <Button size="xs" variant="filled" loading={giveBack.isPending}>
        {t('takeover.giveBack')}
      </Button>
    </ConfirmPopover>
  );
}

function PutOn({ state: { channel } }: { state: ChannelState }) {
  const { t } = useTranslation('channels');
  const { t: common } = useTranslation();
  const titleId = useId();
  const [opened, { close, toggle }] = useDisclosure(false);
  const [stream, setStream] = useState('');
  const takeOver = useTakeOver();
  const { id, title } = channel;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    close();
    const message = t('takeover.begun', { title, stream });
    takeOver.mutate({ id, stream: stream.trim() }, { onSuccess: () => void showToast({ message }) });
  };
  return (
    <Popover
      opened={opened}
      onChange={(open) => !open && close()}
      width={300}
      withArrow
      trapFocus
      returnFocus
      shadow="lg"
    >
      <Popover.Target>
        <Button size="xs" variant="default" loading={takeOver.isPending} onClick={toggle} aria-expanded={opened}>
          {t('takeover.button')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-labelledby={titleId}>
        <form onSubmit={onSubmit}>
          <Text fw={650} id={titleId}>
            {t('takeover.title', { title })}
          </Text>
          <Text size="sm" c="dimmed" mt={4} mb="sm">
            {t('takeover.text')}
          </Text>
          <LiveStreamField value={stream} onChange={setStream} own={channel.stream} />
          <Group gap="xs" justify="flex-end" mt="md">
            <Button size="xs" variant="default" onClick={close}>
              {common('confirm.abort')}
            </Button>
            <Button size="xs" type="submit" disabled={stream.trim() === ''}>
              {t('takeover.confirm')}
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
