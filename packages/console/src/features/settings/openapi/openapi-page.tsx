// ?tab=api: the API secret, the OpenAPI document, and a form that tries every call.
import { Button, Stack } from '@mantine/core';
import { openApiPath } from '@srs-stack/contract/constants.ts';
import { IconApi, IconExternalLink, IconFlask } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../../ui/panel.tsx';
import { useApiSecret } from './queries.ts';
import { SecretPanel } from './secret-panel.tsx';
import { TryIt } from './try-it.tsx';

export default function ApiPage() {
  const { t } = useTranslation('openapi');
  const secret = useApiSecret();
  return (
    <Stack gap="lg">
      <SecretPanel secret={secret} />
      <Panel
        title={t('document.title')}
        description={t('document.text')}
        icon={<IconApi size={20} aria-hidden />}
        actions={
          <Button
            component="a"
            href={openApiPath}
            target="_blank"
            rel="noreferrer"
            variant="default"
            leftSection={<IconExternalLink size={18} aria-hidden />}
          >
            {t('document.open')}
          </Button>
        }
      />
      <Panel title={t('try.title')} description={t('try.text')} icon={<IconFlask size={20} aria-hidden />}>
        <TryIt secret={secret.data ?? ''} />
      </Panel>
    </Stack>
  );
}
