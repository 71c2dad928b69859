// Selection of the release channel, which determines the offered release and automatic upgrades.
import { Radio } from '@mantine/core';
import type { ReleaseChannel } from '@srs-stack/contract';
import { releaseChannels } from '@srs-stack/contract/values/upgrades.ts';
import { useTranslation } from 'react-i18next';
import { formatTimestamp } from '../../../../shared/format-time.ts';
import classes from './upgrades.module.css';
import { type Upgrade, useUpgradeActions } from './use-upgrade.ts';

export function ChannelChoice({ upgrade }: { upgrade: Upgrade }) {
  const { t } = useTranslation('platform');
  const { change } = useUpgradeActions();
  const { auto, revision } = upgrade;
  // Shows the selected channel before the server confirms the change.
  const channel = (change.isPending && change.variables.channel) || upgrade.channel;
  return (
    <Radio.Group
      value={channel}
      label={t('upgrade.channel')}
      onChange={(next) => change.mutate({ channel: next as ReleaseChannel, auto, revision })}
    >
      <div className={classes.channels}>
        {releaseChannels.map((each) => (
          <ChannelCard key={each} channel={each} upgrade={upgrade} />
        ))}
      </div>
    </Radio.Group>
  );
}

function ChannelCard({ channel, upgrade: { found, installation } }: { channel: ReleaseChannel; upgrade: Upgrade }) {
  const { t } = useTranslation('platform');
  const release = found?.[channel];
  const isInstalled = release !== undefined && release !== null && release.commit === installation?.commit;
  return (
    <Radio.Card value={channel} className={classes.channel}>
      <Radio.Indicator className={classes.indicator} />
      <span className={classes.channelText}>
        <span className={classes.channelName}>{t(`upgrade.channels.${channel}.name`)}</span>
        <span className={classes.hint}>{t(`upgrade.channels.${channel}.text`)}</span>
        <span className={classes.version}>
          {release ? release.version : t(found ? 'upgrade.none' : 'upgrade.unknown')}
          {release && <span className={classes.commit}>{release.commit.slice(0, 12)}</span>}
        </span>
        {release && (
          <span className={classes.hint}>
            {isInstalled ? t('upgrade.isInstalled') : t('upgrade.ofDate', { date: formatTimestamp(release.date) })}
          </span>
        )}
      </span>
    </Radio.Card>
  );
}
