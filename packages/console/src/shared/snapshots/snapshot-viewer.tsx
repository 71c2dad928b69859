import { Button, Group, Select, Skeleton, Stack, Text } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { formatTimestamp } from '../format-time.ts';
import { InlineFailure } from '../inline-failure.tsx';
import { type StreamName, useRemoveSnapshots, useSnapshotImage, useSnapshots } from './snapshot-queries.ts';
import classes from './snapshots.module.css';

export default function SnapshotViewer({ app, stream }: StreamName) {
  const { t } = useTranslation('snapshots');
  const { data, error } = useSnapshots({ app, stream });
  const [chosen, setChosen] = useState<string | null>(null);
  const remove = useRemoveSnapshots();
  const snapshots = data?.snapshots ?? [];
  const shown = snapshots.find(({ name }) => name === chosen) ?? snapshots[0];
  const picture = useSnapshotImage({ app, stream }, shown?.name);
  if (!data) return error ? <InlineFailure error={error} /> : <Skeleton height="20rem" radius="md" />;
  if (!shown) return <Text>{t('none')}</Text>;
  const source = picture.data?.picture;
  const alt = t('imageOf', { name: `${app}/${stream}`, time: formatTimestamp(shown.at) });
  return (
    <Stack gap="md">
      {source ? <img className={classes.image} src={source} alt={alt} /> : <Skeleton className={classes.image ?? ''} />}
      {picture.isError && <InlineFailure error={picture.error} />}
      <Group gap="sm" align="flex-end">
        <Select
          label={t('time')}
          value={shown.name}
          allowDeselect={false}
          data={snapshots.map(({ name, at, isTimed }) => ({
            value: name,
            label: `${formatTimestamp(at)}${isTimed ? ` · ${t('timed')}` : ''}`,
          }))}
          onChange={setChosen}
          flex="1 1 14rem"
        />
        {source && (
          <Button
            component="a"
            href={source}
            download={`${stream}-${shown.at.replace(/[:.]/g, '-')}.jpg`}
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t('download')}
          </Button>
        )}
        <ConfirmPopover
          dangerous
          text={t('removeText', { time: formatTimestamp(shown.at) })}
          onConfirm={() => remove.mutate({ app, stream, name: shown.name })}
        >
          <Button variant="default" loading={remove.isPending} leftSection={<IconTrash size={16} aria-hidden />}>
            {t('remove')}
          </Button>
        </ConfirmPopover>
      </Group>
    </Stack>
  );
}
