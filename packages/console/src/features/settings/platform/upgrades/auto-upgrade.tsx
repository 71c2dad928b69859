import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Upgrade, useUpgradeActions } from './use-upgrade.ts';

export interface AutoUpgradeProps {
  upgrade: Upgrade;
  window: { start: string; end: string } | undefined;
}

export function AutoUpgrade({ upgrade, window }: AutoUpgradeProps) {
  const { t } = useTranslation('platform');
  const { change } = useUpgradeActions();
  const { auto, channel, revision } = upgrade;
  const { start = '', end = '' } = window ?? {};
  return (
    <Switch
      label={t('upgrade.auto')}
      description={t('upgrade.autoText', { start, end, channel: t(`upgrade.channels.${channel}.name`) })}
      checked={change.isPending ? change.variables.auto : auto}
      onChange={(event) => change.mutate({ channel, auto: event.currentTarget.checked, revision })}
    />
  );
}
