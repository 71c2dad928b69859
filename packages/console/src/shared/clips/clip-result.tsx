// State of a requested clip: in progress, failed, or ready for download with the exact cut points.
import { Alert, Button, Group, Loader, Text } from '@mantine/core';
import { recordLinkPrefix } from '@srs-stack/contract/constants.ts';
import { IconCheck, IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useProblemText } from '../recording/problem-text.ts';
import { RecordingProblem } from '../recording/recording-problem.tsx';
import { useClipRow } from './clip-queries.ts';
import { timeOfDay } from './clip-times.ts';

interface MadeClip {
  uuid: string;
  from: string;
  to: string;
}

export function ClipResult({ clip: { uuid, from, to } }: { clip: MadeClip }) {
  const { t } = useTranslation('clips');
  const row = useClipRow(uuid).data;
  const textOf = useProblemText();
  if (row?.state === 'failed') {
    const problem = textOf(row);
    return <RecordingProblem message={problem?.message}>{problem?.sentence ?? t('failed')}</RecordingProblem>;
  }
  if (row?.state !== 'done')
    return (
      <Group gap="xs" role="status">
        <Loader size={16} />
        <Text size="sm">{t('making')}</Text>
      </Group>
    );
  const query = ['download=1', row.watchQuery ?? ''].filter((part) => part !== '').join('&');
  const [begin, end] = [from, to].map((time) => timeOfDay(Date.parse(time), true));
  return (
    <Alert role="status" variant="light" color="signal" icon={<IconCheck aria-hidden />}>
      <Group justify="space-between">
        <Text size="sm">{t('done', { from: begin, to: end })}</Text>
        <Button
          component="a"
          size="xs"
          href={`${recordLinkPrefix}${uuid}/index.mp4?${query}`}
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {t('download')}
        </Button>
      </Group>
    </Alert>
  );
}
