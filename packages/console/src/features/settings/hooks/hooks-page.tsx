// ?tab=callback: the callback target, the last exchange, and the log of deliveries.
import { Skeleton, Stack } from '@mantine/core';
import { IconBellRinging, IconHistory } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { QueryPlaceholder } from '../../../shared/query-placeholder.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { CallbackForm } from './callback-form.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { LastExchange } from './last-exchange.tsx';
import { useHooks } from './queries.ts';

export default function CallbackPage() {
  const { t } = useTranslation('hooks');
  const hooks = useHooks();
  const isActive = hooks.data?.all === true && hooks.data.target !== '';
  return (
    <Stack gap="lg">
      <Panel
        title={t('title')}
        description={t('text')}
        icon={<IconBellRinging size={20} aria-hidden />}
        actions={
          hooks.data && (
            <StatusBadge state={isActive ? 'good' : 'idle'}>{t(isActive ? 'active' : 'inactive')}</StatusBadge>
          )
        }
      >
        {hooks.data ? (
          <CallbackForm stored={hooks.data} />
        ) : (
          <QueryPlaceholder query={hooks} skeleton={<Skeleton h={{ base: 900, sm: 640 }} />} />
        )}
      </Panel>
      <Panel title={t('log.title')} description={t('log.text')} icon={<IconHistory size={20} aria-hidden />}>
        {hooks.data && <LastExchange req={hooks.data.req} res={hooks.data.res} />}
        <DeliveryLog />
      </Panel>
    </Stack>
  );
}
