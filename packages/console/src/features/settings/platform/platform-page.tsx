// ?tab=platform: the admin password, upgrades and their daily window, and the platform administrator's SSH key.
import { Skeleton, Stack } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { IconCalendarClock, IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiQuery } from '../../../api/api-query.ts';
import { QueryPlaceholder } from '../../../shared/query-placeholder.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { AdminKeyForm } from './admin-key-form.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { UpgradePanel } from './upgrades/upgrade-panel.tsx';
import { WindowForm } from './window-form.tsx';
import { WindowStatus } from './window-status.tsx';

export default function PlatformPage() {
  const { t } = useTranslation('platform');
  const upgrade = useQuery({ ...apiQuery(calls.queryUpgradeWindow, {}), refetchInterval: pollIntervalMs });
  const adminKey = useQuery({ ...apiQuery(calls.queryAdminKey, {}), refetchInterval: pollIntervalMs });
  return (
    <Stack gap="lg">
      <PasswordPanel />
      <UpgradePanel window={upgrade.data} />
      <Panel
        title={t('window.title')}
        description={t('window.text')}
        icon={<IconCalendarClock size={20} aria-hidden />}
        actions={
          upgrade.data && (
            <StatusBadge state={upgrade.data.isOpen ? 'good' : 'idle'}>
              {t(upgrade.data.isOpen ? 'window.open' : 'window.closed')}
            </StatusBadge>
          )
        }
      >
        {upgrade.data ? (
          <>
            <WindowStatus window={upgrade.data} />
            <WindowForm stored={upgrade.data} />
          </>
        ) : (
          <QueryPlaceholder query={upgrade} skeleton={<Skeleton h={{ base: 420, sm: 330 }} />} />
        )}
      </Panel>
      <Panel
        title={t('key.title')}
        description={t('key.text')}
        icon={<IconTerminal2 size={20} aria-hidden />}
        actions={
          adminKey.data?.file && (
            <StatusBadge state={adminKey.data.granted ? 'good' : 'idle'}>
              {t(adminKey.data.granted ? 'key.granted' : 'key.denied')}
            </StatusBadge>
          )
        }
      >
        {adminKey.data ? (
          <AdminKeyForm stored={adminKey.data} />
        ) : (
          <QueryPlaceholder query={adminKey} skeleton={<Skeleton height={200} />} />
        )}
      </Panel>
    </Stack>
  );
}
