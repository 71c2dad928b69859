import { Skeleton } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { IconVersions } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { EquivalentCall } from '../../../../shared/equivalent-call.tsx';
import { QueryPlaceholder } from '../../../../shared/query-placeholder.tsx';
import { FactList } from '../../../../ui/fact-list.tsx';
import { Panel } from '../../../../ui/panel.tsx';
import { StatusBadge } from '../../../../ui/status-badge.tsx';
import { AutoUpgrade } from './auto-upgrade.tsx';
import { ByHand } from './by-hand.tsx';
import { ChannelChoice } from './channel-choice.tsx';
import { ReleaseOffer } from './release-offer.tsx';
import { UpgradeOutcome } from './upgrade-outcome.tsx';
import { UpgradeProgress } from './upgrade-progress.tsx';
import classes from './upgrades.module.css';
import { isRunning, type Upgrade, useUpgrade } from './use-upgrade.ts';

export function UpgradePanel({ window }: { window: { isOpen: boolean; start: string; end: string } | undefined }) {
  const { t } = useTranslation('platform');
  const query = useUpgrade();
  const { data, failureCount } = query;
  return (
    <Panel
      title={t('upgrade.title')}
      description={t('upgrade.text')}
      icon={<IconVersions size={20} aria-hidden />}
      actions={data && <UpgradeBadge upgrade={data} />}
    >
      {data ? (
        <UpgradeContent upgrade={data} isUnavailable={failureCount > 0} window={window} />
      ) : (
        <QueryPlaceholder query={query} skeleton={<Skeleton h={{ base: 760, sm: 520 }} />} />
      )}
    </Panel>
  );
}

interface ContentProps {
  upgrade: Upgrade;
  /** The server does not respond because it restarts. */
  isUnavailable: boolean;
  window: { isOpen: boolean; start: string; end: string } | undefined;
}

function UpgradeContent({ upgrade, isUnavailable, window }: ContentProps) {
  const { t } = useTranslation('platform');
  const { installation, progress } = upgrade;
  if (!installation) return <Skeleton h={{ base: 760, sm: 520 }} />;
  const facts = [
    [t('upgrade.installed'), installation.version],
    ...(installation.commit ? [[t('upgrade.commit'), installation.commit.slice(0, 12)] as const] : []),
    ...(installation.remote ? [[t('upgrade.remote'), installation.remote] as const] : []),
  ] as const;
  return (
    <div className={classes.panel}>
      <FactList facts={facts} tiles="names" />
      <UpgradeOutcome upgrade={upgrade} />
      {installation.kind !== 'checkout' ? (
        <ByHand kind={installation.kind} />
      ) : progress && isRunning(upgrade) ? (
        <UpgradeProgress progress={progress} isUnavailable={isUnavailable} />
      ) : (
        <>
          <ChannelChoice upgrade={upgrade} />
          <ReleaseOffer upgrade={upgrade} isWindowOpen={window?.isOpen} />
          <AutoUpgrade upgrade={upgrade} window={window} />
          <EquivalentCall endpoint={calls.lookForReleases} request={{}} />
        </>
      )}
    </div>
  );
}

function UpgradeBadge({ upgrade }: { upgrade: Upgrade }) {
  const { t } = useTranslation('platform');
  const { found, channel, installation } = upgrade;
  if (isRunning(upgrade)) return <StatusBadge state="connecting">{t('upgrade.running')}</StatusBadge>;
  const release = found?.[channel];
  if (installation?.kind !== 'checkout' || !release) return null;
  const isNewest = release.commit === installation.commit;
  return (
    <StatusBadge state={isNewest ? 'good' : 'attention'}>
      {t(isNewest ? 'upgrade.newest' : 'upgrade.newer')}
    </StatusBadge>
  );
}
