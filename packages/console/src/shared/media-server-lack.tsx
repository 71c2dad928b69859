// Alert on a page whose feature an external SRS server lacks. Empty while the SRS server does not respond.
import { Alert, Anchor } from '@mantine/core';
import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { apiQuery } from '../api/api-query.ts';
import { useScreenPath } from '../navigation/current-locale.ts';

type Ability = ResponseOf<typeof calls.queryComponents>['mediaServer']['abilities'][number];

export function MediaServerLack({ ability }: { ability: Extract<Ability, 'reload' | 'measurements'> }) {
  const { t } = useTranslation();
  const toScreen = useScreenPath();
  const server = useQuery({ ...apiQuery(calls.queryComponents, {}), retry: false }).data?.mediaServer;
  if (server?.engine !== 'srs' || !server.isUp || server.abilities.includes(ability)) return null;
  return (
    <Alert variant="light" color="gray" p="sm" icon={<IconInfoCircle aria-hidden />}>
      {t(`lack.${ability}`)}{' '}
      <Anchor component={Link} to={toScreen('components')} size="sm" underline="always">
        {t('lack.more')}
      </Anchor>
    </Alert>
  );
}
