// Displays an item of the schedule in one line.
import { IconBroadcast, IconCoffee, IconFolder, IconMovie, IconPlayerRecord } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './channels.module.css';
import type { ChannelItem } from './queries.ts';

const icons = {
  ...{ file: IconMovie, recording: IconPlayerRecord, folder: IconFolder },
  ...{ break: IconCoffee, live: IconBroadcast },
} as const;

export function ItemName({ item: { kind, name, source, minutes } }: { item: ChannelItem }) {
  const { t } = useTranslation('channels');
  const Icon = icons[kind];
  const title = name || (kind === 'break' ? t('break') : source);
  return (
    <span className={classes.itemName}>
      <Icon size={16} aria-label={t(`kind.${kind}`)} /> {title}
      {minutes > 0 && ` · ${t('minutes', { count: minutes })}`}
    </span>
  );
}
