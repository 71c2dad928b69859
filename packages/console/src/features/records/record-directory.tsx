// Item 1: where recordings are, and how to move them to another disk.
import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyField } from '../../ui/copy-field.tsx';

/** On the server, from the data folder, while the product is stopped. */
const moveCommands = `mv record /mnt/big-disk/record
ln -s /mnt/big-disk/record record`;

export function RecordDirectory({ home }: { home: string }) {
  const { t } = useTranslation('records');
  return (
    <Stack gap="md">
      <CopyField label={t('directory.label')} value={home} />
      <Text size="sm">{t('directory.change')}</Text>
      <CodeBlock code={moveCommands} name={t('directory.commands')} />
      <Text size="sm" c="dimmed">
        {t('directory.unsupported')}
      </Text>
    </Stack>
  );
}
