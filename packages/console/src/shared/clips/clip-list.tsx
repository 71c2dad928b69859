// List of streams with a rewind window; hidden if empty.
import { Stack, Text } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Item, ItemHeadline, ItemList } from '../../ui/item-list.tsx';
import { formatTimestamp } from '../format-time.ts';
import { ClipButton } from './clip-button.tsx';
import { useRewindWindows } from './clip-queries.ts';

/** Suspends separately, because its texts may load later than the page. */
export function ClipList() {
  return (
    <Suspense>
      <Windows />
    </Suspense>
  );
}

function Windows() {
  const { t } = useTranslation('clips');
  const windows = useRewindWindows().data ?? [];
  if (windows.length === 0) return null;
  return (
    <Stack gap="sm">
      <div>
        <Text fw={650}>{t('list.title')}</Text>
        <Text size="sm" c="dimmed">
          {t('list.text')}
        </Text>
      </div>
      <ItemList label={t('list.title')}>
        {windows.map(({ app, stream, since, until }) => (
          <Item key={`${app}/${stream}`} state="live">
            <ItemHeadline name={`${app}/${stream}`}>
              <ClipButton app={app} stream={stream} />
            </ItemHeadline>
            <Text size="sm" c="dimmed">
              {t('list.kept', { from: formatTimestamp(since), to: formatTimestamp(until) })}
            </Text>
          </Item>
        ))}
      </ItemList>
    </Stack>
  );
}
