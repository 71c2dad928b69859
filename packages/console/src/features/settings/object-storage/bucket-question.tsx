// Confirmation before local copies are removed or recordings stay in the previous bucket.
import { Alert, Button, Group, List } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../navigation/current-locale.ts';
import { formatBytes } from '../../../shared/format-bytes.ts';
import type { Consequence } from './bucket-draft.ts';
import type { ObjectStorage } from './queries.ts';

export interface BucketQuestionProps {
  stored: ObjectStorage;
  consequences: readonly Consequence[];
  onContinue: () => void;
  onAbort: () => void;
}

export function BucketQuestion({ stored, consequences, onContinue, onAbort }: BucketQuestionProps) {
  const { t } = useTranslation(['object-storage', 'common']);
  const locale = useLocale();
  const { onlyHere, stored: there, onlyThere } = stored.status;
  const here = onlyHere.count + there.count - onlyThere.count;
  const bytes = onlyHere.bytes + there.bytes - onlyThere.bytes;
  return (
    <Alert
      role="alert"
      mt="md"
      color="amber"
      icon={<IconAlertTriangle aria-hidden />}
      title={t('common:confirm.title')}
    >
      <List size="sm" mb="sm">
        {consequences.includes('removesLocal') && (
          <>
            <List.Item>
              {here === 0
                ? t('question.removesNothing')
                : t('question.removesLocal', { count: here, size: formatBytes(bytes, locale) })}
            </List.Item>
            <List.Item>{t('question.playlists')}</List.Item>
          </>
        )}
        {consequences.includes('leavesBucket') && (
          <List.Item>{t('question.leavesBucket', { count: onlyThere.count, bucket: stored.bucket })}</List.Item>
        )}
      </List>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onAbort} data-autofocus>
          {t('common:confirm.abort')}
        </Button>
        <Button size="xs" color="amber" onClick={onContinue}>
          {t('common:confirm.continue')}
        </Button>
      </Group>
    </Alert>
  );
}
