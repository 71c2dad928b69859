// Accordion item 1: the folder of the recordings, how to move it to another disk, and whether old recordings are removed.
import { Stack, Text } from '@mantine/core';
import type { RecordRules } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { useRecordRetention } from './queries.ts';
import { moveCommands } from './recording-facts.ts';

export function RecordDirectory({ home, directory }: Pick<RecordRules, 'home' | 'directory'>) {
  const { t } = useTranslation('records');
  const retention = useRecordRetention().data;
  const isCleaned = retention !== undefined && (retention.keepDays > 0 || retention.maxBytes > 0);
  return (
    <Stack gap="md">
      <CopyField label={t('directory.label')} value={directory} hint={t('directory.alias', { home })} />
      <Text size="sm">{t('directory.change')}</Text>
      <CodeBlock code={moveCommands(directory)} name={t('directory.commands')} />
      <Text size="sm" c="dimmed">
        {t(isCleaned ? 'directory.cleaned' : 'directory.unsupported')}
      </Text>
    </Stack>
  );
}
