// The channels, each with its current and next item, and the form for a channel.
import { Button, Skeleton } from '@mantine/core';
import { IconCalendarTime, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { QueryPlaceholder } from '../../shared/query-placeholder.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ChannelCard } from './channel-card.tsx';
import { ChannelForm } from './channel-form.tsx';
import classes from './channels.module.css';
import { useChannels } from './queries.ts';

export default function ChannelsPage() {
  const { t } = useTranslation('channels');
  const channels = useChannels();
  /** Id of the channel in the form; '' for a new channel, undefined without a form. */
  const [edited, setEdited] = useState<string>();
  if (!channels.data) return <QueryPlaceholder query={channels} skeleton={<Skeleton height="100vh" />} />;
  const all = channels.data.channels;
  const add = (label: string) => (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEdited('')}>
      {label}
    </Button>
  );
  if (edited !== undefined) {
    const channel = all.find((each) => each.channel.id === edited)?.channel;
    return <ChannelForm key={edited} channel={channel} onClose={() => setEdited(undefined)} />;
  }
  if (all.length === 0) {
    return (
      <EmptyState icon={<IconCalendarTime aria-hidden />} title={t('none.title')} action={add(t('none.action'))}>
        {t('none.text')}
      </EmptyState>
    );
  }
  return (
    <>
      <div className={classes.bar}>{add(t('add'))}</div>
      <ul className={classes.channels} aria-label={t('list')}>
        {all.map((state) => (
          <li key={state.channel.id}>
            <ChannelCard state={state} onEdit={() => setEdited(state.channel.id)} />
          </li>
        ))}
      </ul>
    </>
  );
}
