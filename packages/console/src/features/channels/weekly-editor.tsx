// Items with fixed start times: a table of the week, and fields for a new row.
import { ActionIcon, Checkbox, Group, NumberInput, Table, TextInput } from '@mantine/core';
import { maxChannelMinutes } from '@srs-stack/contract/limits.ts';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldGroup } from '../../ui/field-group.tsx';
import { timeOf } from './calendar-moves.ts';
import { dayName, everyDay, inOrder, withDay, without } from './channel-fields.ts';
import classes from './channels.module.css';
import { ItemAdder } from './item-adder.tsx';
import { ItemName } from './item-name.tsx';
import type { WeeklyEntry } from './queries.ts';
import { type DrawnEntry, WeekCalendar } from './week-calendar.tsx';

export interface WeeklyEditorProps {
  entries: readonly WeeklyEntry[];
  zone: string;
  onChange: (entries: WeeklyEntry[]) => void;
}

export function WeeklyEditor({ entries, zone, onChange }: WeeklyEditorProps) {
  const { t, i18n } = useTranslation('channels');
  const [days, setDays] = useState<number[]>([...everyDay]);
  const [at, setAt] = useState('20:00');
  const [minutes, setMinutes] = useState(0);
  const [drawn, setDrawn] = useState<DrawnEntry>();
  const onDraw = (next: DrawnEntry) => {
    setDrawn(next);
    setDays([next.day]);
    setAt(timeOf(next.minute));
    setMinutes(next.minutes);
  };
  const onAdd = (item: WeeklyEntry['item']) => {
    if (days.length === 0 || at === '') return;
    setDrawn(undefined);
    onChange(inOrder([...entries, { days, at, minutes, item }]));
  };
  return (
    <FieldGroup name={t('weekly.title')}>
      <p className={classes.fact}>{t('weekly.hint', { zone })}</p>
      <WeekCalendar entries={entries} onChange={onChange} drawn={drawn} onDraw={onDraw} />
      {entries.length > 0 && <WeekTable entries={entries} onChange={onChange} />}
      {drawn && (
        <p className={classes.fact} role="status">
          {t('calendar.drawn', { day: dayName(drawn.day, i18n.language, 'long'), time: timeOf(drawn.minute) })}
        </p>
      )}
      <Group gap="sm" role="group" aria-label={t('weekly.days')}>
        {everyDay.map((day) => (
          <Checkbox
            key={day}
            label={dayName(day, i18n.language, 'short')}
            checked={days.includes(day)}
            onChange={(event) => setDays(withDay(days, day, event.currentTarget.checked))}
          />
        ))}
      </Group>
      <div className={classes.adder}>
        <TextInput
          type="time"
          label={t('weekly.at')}
          value={at}
          onChange={(event) => setAt(event.currentTarget.value)}
        />
        <NumberInput
          label={t('weekly.minutes')}
          description={t('weekly.minutesHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={minutes}
          min={0}
          max={maxChannelMinutes}
          onChange={(value) => setMinutes(Number(value))}
        />
      </div>
      <ItemAdder label={t('weekly.add')} onAdd={onAdd} />
    </FieldGroup>
  );
}

/** The week as a table with a column per day. The row of an item marks the days of the item. */
function WeekTable({ entries, onChange }: Pick<WeeklyEditorProps, 'entries' | 'onChange'>) {
  const { t, i18n } = useTranslation('channels');
  return (
    <div className={classes.week}>
      <Table aria-label={t('weekly.title')} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('weekly.at')}</Table.Th>
            {everyDay.map((day) => (
              <Table.Th key={day} ta="center">
                {dayName(day, i18n.language, 'short')}
              </Table.Th>
            ))}
            <Table.Th>{t('weekly.item')}</Table.Th>
            <Table.Th />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries may be equal
            <Table.Tr key={`${entry.at} ${index}`}>
              <Table.Td>{entry.at}</Table.Td>
              {everyDay.map((day) => (
                <Table.Td key={day} ta="center">
                  {entry.days.includes(day) ? (
                    <span role="img" aria-label={t('weekly.on')} className={classes.mark} />
                  ) : null}
                </Table.Td>
              ))}
              <Table.Td>
                <ItemName item={entry.minutes > 0 ? { ...entry.item, minutes: entry.minutes } : entry.item} />
              </Table.Td>
              <Table.Td>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('weekly.remove', { time: entry.at })}
                  onClick={() => onChange(without(entries, index))}
                >
                  <IconX size={16} aria-hidden />
                </ActionIcon>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
