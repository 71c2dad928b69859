// Explains why media is re-encoded.
import { Alert } from '@mantine/core';
import type { VliveRow } from '@srs-stack/contract';
import { IconTransform } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

export function TranscodedNote({ transcoded: { video, audio } }: Pick<VliveRow, 'transcoded'>) {
  const { t } = useTranslation('vlives');
  if (!video && !audio) return null;
  const what = video && audio ? 'both' : video ? 'video' : 'audio';
  return (
    <Alert variant="light" color="amber" p="sm" icon={<IconTransform aria-hidden />}>
      {t(`transcoded.${what}`)}
    </Alert>
  );
}
