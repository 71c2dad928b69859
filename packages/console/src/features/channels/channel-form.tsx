// Form for a new or existing channel: name, time zone, format, playlist and weekly entries.
import { Button, NumberInput, Select, TextInput } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { channelBitrates, channelHeights, channelRates, maxLabelLength } from '@srs-stack/contract/limits.ts';
import { IconCalendarTime } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EquivalentCall } from '../../shared/equivalent-call.tsx';
import { InlineFailure } from '../../shared/inline-failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { showToast } from '../../ui/toast.ts';
import { draftOf } from './channel-fields.ts';
import classes from './channels.module.css';
import { PlaylistEditor } from './playlist-editor.tsx';
import { type Channel, type ChannelDraft, useCreateChannel, useUpdateChannel } from './queries.ts';
import { WeeklyEditor } from './weekly-editor.tsx';

const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

export function ChannelForm({ channel, onClose }: { channel: Channel | undefined; onClose: () => void }) {
  const { t } = useTranslation('channels');
  const [draft, setDraft] = useState<ChannelDraft>(() => draftOf(channel, browserZone()));
  const [isRefused, setIsRefused] = useState(false);
  const create = useCreateChannel();
  const update = useUpdateChannel();
  const set = (change: Partial<ChannelDraft>) => setDraft((before) => ({ ...before, ...change }));
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const isReady = draft.stream.trim() !== '';
    setIsRefused(!isReady);
    if (!isReady) return;
    const onSuccess = () => {
      void showToast({ message: t('saved', { title: draft.title || draft.stream }) });
      onClose();
    };
    if (channel) update.mutate({ ...draft, id: channel.id }, { onSuccess });
    else create.mutate(draft, { onSuccess });
  };
  const failure = create.error ?? update.error;
  return (
    <Panel title={t(channel ? 'form.change' : 'form.new')} icon={<IconCalendarTime size={20} aria-hidden />}>
      <form onSubmit={onSubmit} noValidate className={classes.form}>
        <Fields draft={draft} set={set} isRefused={isRefused} />
        <PlaylistEditor items={draft.playlist} onChange={(playlist) => set({ playlist })} />
        <WeeklyEditor entries={draft.weekly} zone={draft.zone} onChange={(weekly) => set({ weekly })} />
        {failure && <InlineFailure error={failure} />}
        <div className={classes.buttons}>
          <Button type="submit" loading={create.isPending || update.isPending}>
            {t('form.save')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('form.cancel')}
          </Button>
        </div>
        {channel ? (
          <EquivalentCall endpoint={calls.updateChannel} request={{ ...draft, id: channel.id }} />
        ) : (
          <EquivalentCall endpoint={calls.createChannel} request={draft} />
        )}
      </form>
    </Panel>
  );
}

interface FieldsProps {
  draft: ChannelDraft;
  set: (change: Partial<ChannelDraft>) => void;
  isRefused: boolean;
}

function Fields({ draft, set, isRefused }: FieldsProps) {
  const { t } = useTranslation('channels');
  return (
    <div className={classes.fields}>
      <TextInput
        label={t('form.title')}
        value={draft.title}
        maxLength={maxLabelLength}
        onChange={(event) => set({ title: event.currentTarget.value })}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        label={t('form.stream')}
        description={t('form.streamHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={draft.stream}
        onChange={(event) => set({ stream: event.currentTarget.value.trim() })}
        error={isRefused && draft.stream === '' ? t('form.missing') : undefined}
        autoComplete="off"
        spellCheck={false}
      />
      <Shape draft={draft} set={set} />
    </div>
  );
}

function Shape({ draft, set }: Omit<FieldsProps, 'isRefused'>) {
  const { t } = useTranslation('channels');
  return (
    <>
      <Select
        label={t('form.zone')}
        description={t('form.zoneHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={[...new Set([draft.zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
        value={draft.zone}
        onChange={(zone) => zone && set({ zone })}
        searchable
        allowDeselect={false}
      />
      <Select
        label={t('form.height')}
        data={channelHeights.map((height) => ({ value: String(height), label: `${height}p` }))}
        value={String(draft.height)}
        onChange={(height) => set({ height: channelHeights.find((each) => String(each) === height) ?? 720 })}
        allowDeselect={false}
      />
      <Select
        label={t('form.fps')}
        data={channelRates.map(String)}
        value={String(draft.fps)}
        onChange={(fps) => set({ fps: channelRates.find((each) => String(each) === fps) ?? 25 })}
        allowDeselect={false}
      />
      <NumberInput
        label={t('form.kbps')}
        description={t('form.shapeHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={draft.kbps}
        min={channelBitrates.min}
        max={channelBitrates.max}
        step={100}
        onChange={(kbps) => set({ kbps: Number(kbps) })}
      />
    </>
  );
}
