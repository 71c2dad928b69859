// ?tab=proxy: the page at /, paths proxied to other web servers, and configurations for load balancers.
import { Skeleton, Stack } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { IconHome2, IconRoute2, IconTopologyStar3 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiQuery } from '../../../api/api-query.ts';
import { QueryPlaceholder } from '../../../shared/query-placeholder.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { BalancerForm } from './balancer-form.tsx';
import { HomeForm } from './home-form.tsx';
import { LocationsForm } from './locations-form.tsx';

export default function ProxyPage() {
  const { t } = useTranslation('web-front');
  const home = useQuery(apiQuery(calls.queryHomepage, {}));
  const locations = useQuery(apiQuery(calls.queryProxyLocations, {}));
  const balancer = useQuery(apiQuery(calls.queryLoadBalancer, {}));
  return (
    <Stack gap="lg">
      <Panel title={t('home.title')} description={t('home.text')} icon={<IconHome2 size={20} aria-hidden />}>
        {home.data ? (
          <HomeForm stored={home.data} />
        ) : (
          <QueryPlaceholder query={home} skeleton={<Skeleton h={{ base: 257, sm: 237 }} />} />
        )}
      </Panel>
      <Panel title={t('locations.title')} description={t('locations.text')} icon={<IconRoute2 size={20} aria-hidden />}>
        {locations.data ? (
          <LocationsForm stored={locations.data} />
        ) : (
          <QueryPlaceholder query={locations} skeleton={<Skeleton h={{ base: 560, sm: 330 }} />} />
        )}
      </Panel>
      <Panel
        title={t('balancer.title')}
        description={t('balancer.text')}
        icon={<IconTopologyStar3 size={20} aria-hidden />}
      >
        {balancer.data ? (
          <BalancerForm stored={balancer.data} />
        ) : (
          <QueryPlaceholder query={balancer} skeleton={<Skeleton h={{ base: 560, sm: 480 }} />} />
        )}
      </Panel>
    </Stack>
  );
}
