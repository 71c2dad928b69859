// ?tab=page: the appearance of the watch page, and code that links or embeds the page.
import { Skeleton, Stack } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { IconCode, IconDeviceTv } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiQuery } from '../../../api/api-query.ts';
import { QueryPlaceholder } from '../../../shared/query-placeholder.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { EmbedCodes } from './embed-codes.tsx';
import { LooksForm } from './looks-form.tsx';

export default function WatchPagePage() {
  const { t } = useTranslation('watch-page');
  const looks = useQuery(apiQuery(calls.queryWatchPages, {}));
  if (!looks.data) return <QueryPlaceholder query={looks} skeleton={<Skeleton height={980} />} />;
  return (
    <Stack gap="lg">
      <Panel title={t('look.title')} description={t('look.text')} icon={<IconDeviceTv size={20} aria-hidden />}>
        <LooksForm stored={looks.data} />
      </Panel>
      <Panel title={t('embed.title')} description={t('embed.text')} icon={<IconCode size={20} aria-hidden />}>
        <EmbedCodes />
      </Panel>
    </Stack>
  );
}
