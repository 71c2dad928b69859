// Form for a new or existing entry of the recording plan: streams, days, times and time zone.
import { Autocomplete, Button, Checkbox, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import type { PlanEntry, PlanRow } from '@srs-stack/contract';
import { maxGlobLength, maxRecordTitleLength, maxTimeZoneLength } from '@srs-stack/contract/limits.ts';
import { isTimeZone } from '@srs-stack/contract/zoned-time.ts';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { monoInput } from '../../ui/mono-input.ts';
import { useSavePlanEntry } from './queries.ts';
import classes from './record.module.css';

type Fields = Omit<PlanEntry, 'id'>;

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
/** Maximum number of suggested zones, so that the list fits on a phone. */
const shownZones = 8;

export interface PlanFormProps {
  entry?: PlanRow;
  zone: string;
  onClose: () => void;
}

export function PlanForm({ entry, zone, onClose }: PlanFormProps) {
  const { t } = useTranslation('records');
  const save = useSavePlanEntry();
  const [fields, setFields] = useState<Fields>(entry ? fieldsOf(entry) : newFields(zone));
  const [isRefused, setRefused] = useState(false);
  const wrong = problemsOf(fields);
  const change = (some: Partial<Fields>) => setFields({ ...fields, ...some });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setRefused(wrong.length > 0);
    const { days, date, repeat } = fields;
    const when = repeat === 'weekly' ? { days, date: '' } : { days: [], date };
    if (wrong.length === 0) save.mutate({ ...fields, ...when, ...(entry && { id: entry.id }) }, { onSuccess: onClose });
  };
  const errorOf = (field: keyof Fields) => isRefused && wrong.includes(field) && t(`plan.invalid.${field as 'glob'}`);
  return (
    <form onSubmit={submit} className={classes.form} noValidate>
      <Stack gap="sm">
        <TextInput
          label={t('plan.glob')}
          description={t('plan.globText')}
          placeholder="/live/camera-*"
          value={fields.glob}
          maxLength={maxGlobLength}
          styles={monoInput}
          spellCheck={false}
          error={errorOf('glob')}
          onChange={(event) => change({ glob: event.currentTarget.value })}
        />
        <TextInput
          label={t('plan.titleField')}
          value={fields.title}
          maxLength={maxRecordTitleLength}
          onChange={(event) => change({ title: event.currentTarget.value })}
        />
        <SegmentedControl
          aria-label={t('plan.repeat')}
          value={fields.repeat}
          onChange={(repeat) => change({ repeat: repeat as Fields['repeat'] })}
          data={[
            { value: 'weekly', label: t('plan.weekly') },
            { value: 'once', label: t('plan.once') },
          ]}
        />
        <When fields={fields} change={change} errorOf={errorOf} />
        <Group>
          <Button type="submit" loading={save.isPending} leftSection={<IconDeviceFloppy size={16} aria-hidden />}>
            {t('plan.save')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('plan.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface WhenProps {
  fields: Fields;
  change: (some: Partial<Fields>) => void;
  errorOf: (field: keyof Fields) => string | false;
}

function When({ fields, change, errorOf }: WhenProps) {
  const { t } = useTranslation('records');
  const endsNextDay = fields.end !== '' && fields.end <= fields.start;
  return (
    <>
      {fields.repeat === 'weekly' ? (
        <Checkbox.Group
          label={t('plan.days')}
          value={fields.days.map(String)}
          error={errorOf('days')}
          onChange={(days) => change({ days: days.map(Number).sort() })}
        >
          <Group gap="sm" mt={6}>
            {weekdays.map((day) => (
              <Checkbox key={day} value={String(day)} label={t(`plan.day.${day}`)} />
            ))}
          </Group>
        </Checkbox.Group>
      ) : (
        <TextInput
          type="date"
          label={t('plan.date')}
          value={fields.date}
          error={errorOf('date')}
          onChange={(event) => change({ date: event.currentTarget.value })}
        />
      )}
      <Group gap="md" align="flex-start">
        <TextInput
          type="time"
          label={t('plan.start')}
          value={fields.start}
          error={errorOf('start')}
          onChange={(event) => change({ start: event.currentTarget.value })}
        />
        <TextInput
          type="time"
          label={t('plan.end')}
          value={fields.end}
          error={errorOf('end')}
          onChange={(event) => change({ end: event.currentTarget.value })}
        />
        <Autocomplete
          label={t('plan.zone')}
          value={fields.zone}
          data={Intl.supportedValuesOf('timeZone')}
          limit={shownZones}
          maxLength={maxTimeZoneLength}
          error={errorOf('zone')}
          onChange={(zone) => change({ zone })}
        />
      </Group>
      {endsNextDay && (
        <Text size="sm" c="dimmed">
          {t('plan.nextDay')}
        </Text>
      )}
    </>
  );
}

function newFields(zone: string): Fields {
  const times = { start: '20:00', end: '22:00', zone };
  return { title: '', glob: '', repeat: 'weekly', days: [], date: '', ...times, enabled: true };
}

function fieldsOf({ title, glob, repeat, days, date, start, end, zone, enabled }: PlanRow): Fields {
  return { title, glob, repeat, days, date, start, end, zone, enabled };
}

function problemsOf({ glob, repeat, days, date, start, end, zone }: Fields): (keyof Fields)[] {
  const checks: [keyof Fields, boolean][] = [
    ['glob', glob.trim().startsWith('/')],
    ['days', repeat !== 'weekly' || days.length > 0],
    ['date', repeat !== 'once' || date !== ''],
    ['start', start !== ''],
    ['end', end !== ''],
    ['zone', isTimeZone(zone)],
  ];
  return checks.flatMap(([field, isRight]) => (isRight ? [] : [field]));
}
