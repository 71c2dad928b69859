// ?tab=auth: the publish secret, and an option to publish without a secret.
import { Skeleton, Stack } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { QueryPlaceholder } from '../../../shared/query-placeholder.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { NoAuthPanel } from './no-auth-panel.tsx';
import { usePublishSecret } from './queries.ts';
import { SecretForm } from './secret-form.tsx';

export default function AuthPage() {
  const { t } = useTranslation('publish-secret');
  const [query] = useSearchParams();
  const secret = usePublishSecret();
  const mayDisable = query.get('allow-noauth') === 'true';
  return (
    <Stack gap="lg">
      <Panel title={t('secret.title')} description={t('secret.text')} icon={<IconKey size={20} aria-hidden />}>
        {secret.data ? (
          <SecretForm current={secret.data.publish} revision={secret.data.revision} />
        ) : (
          <QueryPlaceholder query={secret} skeleton={<Skeleton height={152} />} />
        )}
      </Panel>
      {secret.data && (mayDisable || secret.data.pubNoAuth) && (
        <NoAuthPanel pubNoAuth={secret.data.pubNoAuth} revision={secret.data.revision} />
      )}
    </Stack>
  );
}
