// Choices for local copies of recordings, and for the delivery of recordings that only the bucket contains.
import { Radio, Stack } from '@mantine/core';
import { deliveryChoices, localCopyChoices } from '@srs-stack/contract/values/object-storage.ts';
import { useTranslation } from 'react-i18next';
import type { BucketDraft } from './bucket-draft.ts';
import type { ObjectStorage } from './queries.ts';

export interface BucketChoicesProps {
  stored: ObjectStorage;
  values: BucketDraft;
  onChange: (part: Partial<BucketDraft>) => void;
}

export function BucketChoices({ stored, values, onChange }: BucketChoicesProps) {
  const { t } = useTranslation('object-storage');
  const isAsStored = stored.endpoint !== '' && stored.endpoint === values.endpoint && stored.delivery === 'auto';
  return (
    <>
      <Radio.Group
        label={t('local.label')}
        value={values.local}
        onChange={(value) => onChange({ local: localCopyChoices.find((each) => each === value) ?? 'keep' })}
      >
        <Stack gap="xs" mt="xs">
          {localCopyChoices.map((choice) => (
            <Radio
              key={choice}
              value={choice}
              label={t(`local.${choice}.name`)}
              description={t(`local.${choice}.hint`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Radio.Group
        label={t('delivery.label')}
        value={values.delivery}
        onChange={(value) => onChange({ delivery: deliveryChoices.find((each) => each === value) ?? 'auto' })}
      >
        <Stack gap="xs" mt="xs">
          {deliveryChoices.map((choice) => (
            <Radio
              key={choice}
              value={choice}
              label={t(`delivery.${choice}.name`)}
              description={
                choice === 'auto' && isAsStored
                  ? t('delivery.auto.now', { how: t(`delivery.${stored.delivers}.name`) })
                  : t(`delivery.${choice}.hint`)
              }
            />
          ))}
        </Stack>
      </Radio.Group>
    </>
  );
}
