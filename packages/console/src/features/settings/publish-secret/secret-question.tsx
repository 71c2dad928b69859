// Confirmation before the secret is replaced: the affected stream keys and publishers.
import { Alert, Button, Group, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../navigation/current-locale.ts';
import { targetName } from '../../../shared/push-target/push-targets.ts';
import type { SecretUses } from './queries.ts';

export interface SecretQuestionProps {
  uses: SecretUses;
  onContinue: () => void;
  onAbort: () => void;
}

export function SecretQuestion({ uses: { follows, others }, onContinue, onAbort }: SecretQuestionProps) {
  const { t } = useTranslation(['publish-secret', 'common']);
  const nameOf = useUserName();
  return (
    <Alert
      mt="md"
      color={others.length > 0 ? 'amber' : 'gray'}
      icon={<IconAlertTriangle aria-hidden />}
      title={t('common:confirm.title')}
    >
      {others.length > 0 && (
        <>
          <Text size="sm">{t('uses.others')}</Text>
          <List size="sm" mb="sm">
            {others.map((user) => (
              <List.Item key={`${user.kind} ${user.name}`} style={{ overflowWrap: 'anywhere' }}>
                {t(`uses.reason.${user.reason}`, { user: nameOf(user) })}
              </List.Item>
            ))}
          </List>
        </>
      )}
      {follows.length > 0 && (
        <>
          <Text size="sm">{t('uses.follows')}</Text>
          <List size="sm" mb="sm">
            {follows.map((user) => (
              <List.Item key={`${user.kind} ${user.name}`} style={{ overflowWrap: 'anywhere' }}>
                {nameOf(user)}
              </List.Item>
            ))}
          </List>
        </>
      )}
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onAbort}>
          {t('common:confirm.abort')}
        </Button>
        <Button size="xs" color="amber" onClick={onContinue}>
          {t('common:confirm.continue')}
        </Button>
      </Group>
    </Alert>
  );
}

function useUserName() {
  const { t } = useTranslation('publish-secret');
  const locale = useLocale();
  return ({ kind, name, label }: SecretUses['follows'][number]) =>
    t(`uses.kind.${kind}`, {
      name: kind === 'publisher' ? name : targetName({ platform: name, label, custom: false }, locale) || name,
    });
}
