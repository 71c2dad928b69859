// One channel: state, current and next item, progress of preparation, unplayable items, and buttons that change the channel.
import { Alert, Button, Progress } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useAddresses } from '../../shared/publish-guide/use-addresses.ts';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StatusBadge, type StatusState } from '../../ui/status-badge.tsx';
import { showToast } from '../../ui/toast.ts';
import { AsRunList } from './as-run-list.tsx';
import classes from './channels.module.css';
import { LiveNow } from './live-now.tsx';
import { OnAir } from './on-air.tsx';
import { ProgrammeList } from './programme-list.tsx';
import { type ChannelState, useRemoveChannel, useSwitchChannel } from './queries.ts';
import { TakeOver } from './take-over.tsx';

const signs: Record<ChannelState['state'], StatusState> = {
  ...{ off: 'stopped', preparing: 'connecting', 'on-air': 'live', waiting: 'retrying' },
  ...{ elsewhere: 'idle', unreachable: 'attention', unsupported: 'attention' },
};

export function ChannelCard({ state, onEdit }: { state: ChannelState; onEdit: () => void }) {
  const { t } = useTranslation('channels');
  const { channel, problems } = state;
  return (
    <Panel
      title={channel.title}
      description={t('stream', { stream: `live/${channel.stream}` })}
      actions={<StatusBadge state={signs[state.state]}>{t(`state.${state.state}`)}</StatusBadge>}
    >
      <div className={classes.facts}>
        {state.state === 'waiting' && <p className={classes.fact}>{waitingText(t, state.reason)}</p>}
        {state.state === 'unsupported' && <p className={classes.fact}>{t('unsupported')}</p>}
        {(state.state === 'elsewhere' || state.state === 'unreachable') && (
          <p className={classes.fact}>{t(`on.${state.state}`, { server: state.server })}</p>
        )}
        <LiveNow live={state.live} />
        {channel.enabled && <OnAir state={state} />}
        {state.startsWith !== '' && <p className={classes.fact}>{t('startsWith', { title: state.startsWith })}</p>}
        {channel.enabled && <Preparation preparation={state.preparation} />}
        {problems.length > 0 && (
          <Alert color="amber" variant="light" icon={<IconAlertTriangle aria-hidden />} title={t('problems')}>
            <ul className={classes.plain}>
              {problems.map(({ title, reason, detail }) => (
                <li key={`${title} ${reason}`}>
                  {t(`problem.${reason}`, { title })} {detail}
                </li>
              ))}
            </ul>
          </Alert>
        )}
        <Buttons state={state} onEdit={onEdit} />
        {channel.enabled && <ProgrammeList channel={channel} />}
        <AsRunList id={channel.id} />
      </div>
    </Panel>
  );
}

type Translate = ReturnType<typeof useTranslation<'channels'>>['t'];

function waitingText(t: Translate, reason: string): string {
  return reason === 'stream-busy' || reason === 'replaced' ? t('busy') : t('waiting', { reason });
}

function Preparation({ preparation: { ready, total, current, done } }: Pick<ChannelState, 'preparation'>) {
  const { t } = useTranslation('channels');
  if (ready >= total) return null;
  const percent = Math.round(done * 100);
  return (
    <div>
      <p className={classes.fact}>
        {current ? t('preparing', { ready, total, title: current, percent }) : t('prepared', { ready, total })}
      </p>
      <Progress value={((ready + done) / total) * 100} size="sm" aria-label={t('preparation')} />
    </div>
  );
}

function Buttons({ state, onEdit }: { state: ChannelState; onEdit: () => void }) {
  const { t } = useTranslation('channels');
  const toggle = useSwitchChannel();
  const remove = useRemoveChannel();
  const { watchPage } = useAddresses(state.channel.stream, '');
  const { id, title, enabled } = state.channel;
  const onToggle = () =>
    toggle.mutate(
      { id, enabled: !enabled },
      { onSuccess: () => void showToast({ message: t(enabled ? 'stopped' : 'started', { title }) }) },
    );
  return (
    <div className={classes.buttons}>
      <Button size="xs" variant={enabled ? 'default' : 'filled'} loading={toggle.isPending} onClick={onToggle}>
        {t(enabled ? 'stop' : 'start')}
      </Button>
      {enabled && (
        <Button size="xs" variant="default" component="a" href={watchPage} target="_blank" rel="noreferrer">
          {t('watch')}
        </Button>
      )}
      <TakeOver state={state} />
      <Button size="xs" variant="default" onClick={onEdit}>
        {t('edit')}
      </Button>
      <ConfirmPopover
        dangerous
        text={t('remove.confirm', { title })}
        onConfirm={() =>
          remove.mutate({ id }, { onSuccess: () => void showToast({ message: t('remove.done', { title }) }) })
        }
      >
        <Button size="xs" variant="default" loading={remove.isPending}>
          {t('remove.button')}
        </Button>
      </ConfirmPopover>
    </div>
  );
}
