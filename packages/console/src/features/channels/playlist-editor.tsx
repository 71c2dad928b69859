// The repeating playlist. Items are moved by dragging or with buttons.
import { ActionIcon } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldGroup } from '../../ui/field-group.tsx';
import { moved, without } from './channel-fields.ts';
import classes from './channels.module.css';
import { ItemAdder } from './item-adder.tsx';
import { ItemName } from './item-name.tsx';
import type { ChannelItem } from './queries.ts';

export interface PlaylistEditorProps {
  items: readonly ChannelItem[];
  onChange: (items: ChannelItem[]) => void;
}

export function PlaylistEditor({ items, onChange }: PlaylistEditorProps) {
  const { t } = useTranslation('channels');
  const [dragged, setDragged] = useState<number>();
  const dropOn = (index: number) => {
    if (dragged !== undefined) onChange(moved(items, dragged, index));
    setDragged(undefined);
  };
  return (
    <FieldGroup name={t('playlist.title')}>
      <p className={classes.fact}>{t('playlist.hint')}</p>
      <ol className={classes.items} aria-label={t('playlist.title')}>
        {items.map((item, index) => (
          <li
            // Items have no id before they are saved, and may occur twice.
            // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies the item
            key={`${item.source} ${index}`}
            className={classes.item}
            draggable
            onDragStart={() => setDragged(index)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => dropOn(index)}
            data-dragged={dragged === index || undefined}
          >
            <IconGripVertical size={16} aria-hidden />
            <ItemName item={item} />
            <Move
              label={t('playlist.up')}
              onClick={() => onChange(moved(items, index, index - 1))}
              isOff={index === 0}
              up
            />
            <Move
              label={t('playlist.down')}
              onClick={() => onChange(moved(items, index, index + 1))}
              isOff={index === items.length - 1}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('playlist.remove')}
              onClick={() => onChange(without(items, index))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ol>
      <ItemAdder label={t('playlist.add')} onAdd={(item) => onChange([...items, item])} />
    </FieldGroup>
  );
}

interface MoveProps {
  label: string;
  onClick: () => void;
  isOff: boolean;
  up?: boolean;
}

function Move({ label, onClick, isOff, up = false }: MoveProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={isOff} onClick={onClick}>
      {up ? <IconArrowUp size={16} aria-hidden /> : <IconArrowDown size={16} aria-hidden />}
    </ActionIcon>
  );
}
