// Shown on a single server: the benefits of a cluster, and how to start one.
import { Anchor, List, Stack, Text } from '@mantine/core';
import { IconServer2, IconTerminal2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { projectLinks } from '../../../shared/project-links.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Panel } from '../../../ui/panel.tsx';

const commands = `printf 'CLUSTER_SECRET=%s\\n' "$(openssl rand -hex 32)" >> data/config/.env
npm run move-store -- --to redis://:password@cache:6379
echo 'CLUSTER_URL=redis://:password@cache:6379' >> data/config/.env
npm start`;

export function ClusterBegin() {
  const { t } = useTranslation('cluster');
  return (
    <Stack gap="lg">
      <Panel title={t('begin.title')} description={t('begin.text')} icon={<IconServer2 size={20} aria-hidden />}>
        <List size="sm" spacing={6}>
          <List.Item>{t('begin.gives.takeover')}</List.Item>
          <List.Item>{t('begin.gives.settings')}</List.Item>
          <List.Item>{t('begin.gives.upgrade')}</List.Item>
        </List>
      </Panel>
      <Panel title={t('begin.how')} description={t('begin.howText')} icon={<IconTerminal2 size={20} aria-hidden />}>
        <Stack gap="sm">
          <CodeBlock code={commands} name={t('begin.commands')} />
          <Text size="sm">
            {t('begin.then')}{' '}
            <Anchor href={projectLinks.scaleGuide} target="_blank" rel="noreferrer" underline="always" inherit>
              {t('begin.guide')}
            </Anchor>
          </Text>
        </Stack>
      </Panel>
    </Stack>
  );
}
