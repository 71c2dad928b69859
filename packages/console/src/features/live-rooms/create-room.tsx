// Creates a room. Only a title is required.
import { Button, TextInput } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { maxRoomTitleLength } from '@srs-stack/contract/limits.ts';
import { IconPlus } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EquivalentCall } from '../../shared/equivalent-call.tsx';
import { InlineFailure } from '../../shared/inline-failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { showToast } from '../../ui/toast.ts';
import classes from './live-rooms.module.css';
import { useCreateRoom } from './queries.ts';

export function CreateRoom({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('live-rooms');
  const [title, setTitle] = useState('');
  const [start, setStart] = useState('');
  const [isRefused, setIsRefused] = useState(false);
  const create = useCreateRoom();
  const startsAt = Number.isNaN(Date.parse(start)) ? null : new Date(start).toISOString();
  const request = { title: title.trim(), startsAt };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsRefused(request.title === '');
    if (request.title === '') return;
    create.mutate(request, {
      onSuccess: () => {
        void showToast({ message: t('new.made', { title: request.title }) });
        onClose();
      },
    });
  };
  return (
    <Panel title={t('new.title')} icon={<IconPlus size={20} aria-hidden />}>
      <form onSubmit={onSubmit} noValidate>
        <div className={classes.fields}>
          <TextInput
            label={t('new.name')}
            placeholder={t('new.placeholder')}
            value={title}
            maxLength={maxRoomTitleLength}
            onChange={(event) => setTitle(event.currentTarget.value)}
            error={isRefused && request.title === '' ? t('new.missing') : undefined}
            autoComplete="off"
            data-autofocus
          />
          <TextInput
            type="datetime-local"
            label={t('new.start')}
            description={t('new.startHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={start}
            onChange={(event) => setStart(event.currentTarget.value)}
          />
        </div>
        {create.error && <InlineFailure error={create.error} />}
        <div className={classes.buttons}>
          <Button type="submit" loading={create.isPending}>
            {t('new.create')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('new.cancel')}
          </Button>
        </div>
        <EquivalentCall endpoint={calls.createRoom} request={request} />
      </form>
    </Panel>
  );
}
