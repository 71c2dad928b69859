// Instructions for adding a server: two values, hidden until requested, and the command to run on the new server.
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconEye, IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { CopyField } from '../../../ui/copy-field.tsx';
import { joinCommand } from './join-command.ts';
import { useClusterJoin } from './queries.ts';

export function JoinCluster() {
  const { t } = useTranslation('cluster');
  const join = useClusterJoin();
  if (!join.data) {
    return (
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{t('join.hidden')}</Text>
        <Button
          variant="light"
          leftSection={<IconEye size={17} aria-hidden />}
          loading={join.isPending}
          onClick={() => join.mutate({})}
        >
          {t('join.show')}
        </Button>
      </Stack>
    );
  }
  const { url, secret } = join.data;
  return (
    <Stack gap="md">
      <Alert variant="light" color="amber" icon={<IconLock size={18} aria-hidden />}>
        {t('join.careful')}
      </Alert>
      <CopyField label="CLUSTER_URL" value={url} />
      <CopyField label="CLUSTER_SECRET" value={secret} hint={t('join.secretHint')} />
      <div>
        <Text size="sm" mb={6}>
          {t('join.command')}
        </Text>
        <CodeBlock code={joinCommand(join.data)} name={t('join.commandName')} />
      </div>
      <Group>
        <Button size="xs" variant="default" onClick={() => join.reset()}>
          {t('join.hide')}
        </Button>
      </Group>
    </Stack>
  );
}
