// The address of low-latency playlists, while they are enabled. An external SRS has no such playlists.
import { Anchor, Stack, Text } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { defaultStreamName } from '@srs-stack/contract/constants.ts';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiQuery } from '../../../api/api-query.ts';
import { useAddresses } from '../../../shared/publish-guide/use-addresses.ts';
import { CopyField } from '../../../ui/copy-field.tsx';

export function LowLatencyAddress() {
  const { t } = useTranslation('hls-settings');
  const { lowLatencyM3u8Url, lowLatencyHlsPlayer } = useAddresses(defaultStreamName, '');
  const server = useQuery({ ...apiQuery(calls.queryComponents, {}), retry: false }).data?.mediaServer;
  if (server?.engine === 'srs') return null;
  return (
    <Stack gap="xs" mt="md">
      <CopyField label={t('address.label')} value={lowLatencyM3u8Url} hint={t('address.hint')} />
      <Text size="sm" c="dimmed">
        {t('address.rules')}{' '}
        <Anchor href={lowLatencyHlsPlayer} target="_blank" rel="noopener" underline="always" inherit>
          {t('address.play')} <IconExternalLink size={14} aria-hidden style={{ verticalAlign: '-2px' }} />
        </Anchor>
      </Text>
    </Stack>
  );
}
