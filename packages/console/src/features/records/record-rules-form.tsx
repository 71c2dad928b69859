// Accordion item 2: the switch for all streams (takes effect immediately), name filters, the folder for copies, splitting, retention.
import { Alert, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { RecordRules } from '@srs-stack/contract';
import { maxGlobLength, maxPathLength, maxRecordGlobs } from '@srs-stack/contract/limits.ts';
import { IconDeviceFloppy, IconPlayerRecordFilled, IconPlayerStopFilled } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { monoInput } from '../../ui/mono-input.ts';
import { useApplyRecord, useSaveCopyFolder, useSaveGlobs } from './queries.ts';
import classes from './record.module.css';
import { Retention } from './retention-form.tsx';
import { Split } from './split-form.tsx';

export function RecordRulesForm({ rules }: { rules: RecordRules }) {
  return (
    <Stack gap="xl">
      <RecordAll isOn={rules.all} />
      <Filters key={rules.globs.join('\n')} globs={rules.globs} />
      <CopyFolder key={`copy ${rules.processCpDir}`} folder={rules.processCpDir} />
      <Split />
      <Retention />
    </Stack>
  );
}

function RecordAll({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation('records');
  const apply = useApplyRecord();
  const Sign = isOn ? IconPlayerStopFilled : IconPlayerRecordFilled;
  return (
    <div className={classes.rule}>
      <div>
        <Text fw={650}>{t('rules.all')}</Text>
        <Text size="sm" c="dimmed">
          {t(isOn ? 'rules.allOn' : 'rules.allOff')}
        </Text>
      </div>
      <Button
        variant={isOn ? 'default' : 'filled'}
        leftSection={<Sign size={16} aria-hidden />}
        loading={apply.isPending}
        onClick={() => apply.mutate({ all: !isOn })}
      >
        {t(isOn ? 'rules.stop' : 'rules.start')}
      </Button>
    </div>
  );
}

function parseFilters(text: string): string[] {
  return text.split('\n').flatMap((line) => line.trim() || []);
}

function Filters({ globs }: { globs: readonly string[] }) {
  const { t } = useTranslation('records');
  const save = useSaveGlobs();
  const [text, setText] = useState(globs.join('\n'));
  const wanted = parseFilters(text);
  const strange = wanted.find((glob) => !glob.startsWith('/'));
  const isTooLong = wanted.length > maxRecordGlobs || wanted.some(({ length }) => length > maxGlobLength);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isTooLong) save.mutate({ globs: wanted });
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <Stack gap="sm">
        <Textarea
          label={t('filters.label')}
          description={t('filters.description')}
          placeholder={'/live/*\n/*/camera-?'}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          rows={4}
          spellCheck={false}
          styles={monoInput}
          error={isTooLong && t('filters.tooLong', { count: maxRecordGlobs, length: maxGlobLength })}
        />
        {strange !== undefined && (
          <Alert variant="light" color="amber" p="xs">
            {t('filters.strange', { filter: strange })}
          </Alert>
        )}
        <Group>
          <Button
            type="submit"
            variant="default"
            loading={save.isPending}
            leftSection={<IconDeviceFloppy size={16} aria-hidden />}
          >
            {t('filters.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function CopyFolder({ folder }: { folder: string }) {
  const { t } = useTranslation('records');
  const save = useSaveCopyFolder();
  const [text, setText] = useState(folder);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ postProcess: 'post-cp-file', postCpDir: text.trim() });
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <Stack gap="sm">
        <TextInput
          label={t('copies.label')}
          description={t('copies.description')}
          placeholder="/data/srs-s3-bucket"
          value={text}
          maxLength={maxPathLength}
          onChange={(event) => setText(event.currentTarget.value)}
          spellCheck={false}
          styles={monoInput}
        />
        <Group>
          <Button
            type="submit"
            variant="default"
            loading={save.isPending}
            leftSection={<IconDeviceFloppy size={16} aria-hidden />}
          >
            {t('copies.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
