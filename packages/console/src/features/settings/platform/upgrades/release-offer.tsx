// The newest release of the selected channel, with a button that installs the release after a confirmation.
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconDownload, IconPlugConnectedX, IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatTimestamp } from '../../../../shared/format-time.ts';
import { ConfirmPopover } from '../../../../ui/confirm-popover.tsx';
import { ReleaseChanges } from './release-changes.tsx';
import { UpgradeQuestion } from './upgrade-question.tsx';
import classes from './upgrades.module.css';
import { type Release, type Upgrade, useUpgradeActions } from './use-upgrade.ts';

export interface ReleaseOfferProps {
  upgrade: Upgrade;
  isWindowOpen: boolean | undefined;
}

export function ReleaseOffer({ upgrade, isWindowOpen }: ReleaseOfferProps) {
  const { t } = useTranslation('platform');
  const { look } = useUpgradeActions();
  const { found, channel, installation, isLooking } = upgrade;
  const release = found?.[channel];
  const isNewer = release && release.commit !== installation?.commit;
  return (
    <div className={classes.offer}>
      {found?.problem && (
        <Alert
          color="amber"
          icon={<IconPlugConnectedX aria-hidden />}
          title={t(`upgrade.problem.${found.problem.reason}`)}
        >
          <code className={classes.words}>{found.problem.detail}</code>
        </Alert>
      )}
      {isNewer && <ReleaseChanges key={release.commit} release={release} />}
      <Group gap="sm">
        {isNewer && <UpgradeButton upgrade={upgrade} release={release} isWindowOpen={isWindowOpen} />}
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={isLooking || look.isPending}
          onClick={() => look.mutate({})}
        >
          {t('upgrade.look')}
        </Button>
        {found && (
          <Text size="sm" c="dimmed">
            {t('upgrade.checkedAt', { date: formatTimestamp(found.checkedAt) })}
          </Text>
        )}
      </Group>
    </div>
  );
}

function UpgradeButton({ upgrade, release, isWindowOpen }: ReleaseOfferProps & { release: Release }) {
  const { t } = useTranslation('platform');
  const { start } = useUpgradeActions();
  const { channel, commit, version } = release;
  return (
    <ConfirmPopover
      text={<UpgradeQuestion release={release} streams={upgrade.liveStreams} isWindowOpen={isWindowOpen} />}
      onConfirm={() => start.mutate({ channel, commit })}
    >
      <Button leftSection={<IconDownload size={16} aria-hidden />} loading={start.isPending}>
        {t('upgrade.start', { version })}
      </Button>
    </ConfirmPopover>
  );
}
