// Button that writes, reads and deletes a small test object with the typed values.
import { Alert, Button, Group, Text } from '@mantine/core';
import type { BucketTestResult } from '@srs-stack/contract';
import { IconAlertTriangle, IconCheck, IconPlugConnected } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { InlineFailure } from '../../../shared/inline-failure.tsx';
import type { BucketDraft } from './bucket-draft.ts';
import classes from './object-storage.module.css';
import { useTestBucket } from './queries.ts';

export function BucketTest({ values }: { values: BucketDraft }) {
  const { t } = useTranslation('object-storage');
  const test = useTestBucket();
  const { endpoint, region, bucket, pathStyle, prefix, accessKey, secretKey } = values;
  const request = { endpoint, region, bucket, pathStyle, prefix, accessKey, secretKey };
  return (
    <div className={classes.test}>
      <Group gap="sm">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlugConnected size={16} aria-hidden />}
          disabled={endpoint.trim() === '' || bucket.trim() === ''}
          loading={test.isPending}
          onClick={() => test.mutate(request)}
        >
          {t('test.send')}
        </Button>
        <Text size="sm" c="dimmed">
          {t('test.hint')}
        </Text>
      </Group>
      {test.data && !test.isPending && <TestResult result={test.data} />}
      {test.error && <InlineFailure error={test.error} />}
    </div>
  );
}

function TestResult({ result: { failed, durationMs } }: { result: BucketTestResult }) {
  const { t } = useTranslation(['object-storage', 'bucket']);
  if (!failed) {
    return (
      <Alert role="status" color="gray" icon={<IconCheck aria-hidden />} title={t('test.ok')}>
        {t('test.okText', { ms: durationMs })}
      </Alert>
    );
  }
  return (
    <Alert role="status" color="red" icon={<IconAlertTriangle aria-hidden />} title={t(`test.failed.${failed.step}`)}>
      <Text size="sm">
        {t(`bucket:problem.${failed.kind}.what`)} {t(`bucket:problem.${failed.kind}.advice`)}
      </Text>
      <code className={classes.words} lang="en">
        {failed.words}
      </code>
    </Alert>
  );
}
