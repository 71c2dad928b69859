// Selects the item to add: a file of the library, a file or folder of the server, a recording, a break, or a live stream.
import { Button, NumberInput, Select, TextInput } from '@mantine/core';
import { maxChannelMinutes } from '@srs-stack/contract/limits.ts';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTimestamp } from '../../shared/format-time.ts';
import { InlineFailure } from '../../shared/inline-failure.tsx';
import classes from './channels.module.css';
import { LiveStreamField } from './live-stream-field.tsx';
import { type ChannelItem, useLibraryFiles, useRecordings, useServerFile } from './queries.ts';

const choices = ['file', 'server', 'recording', 'folder', 'break', 'live'] as const;
type Choice = (typeof choices)[number];

const defaultMinutes = { break: 5, live: 60 } as const;

export function ItemAdder({ label, onAdd }: { label: string; onAdd: (item: ChannelItem) => void }) {
  const { t } = useTranslation('channels');
  const [choice, setChoice] = useState<Choice>('file');
  const [source, setSource] = useState('');
  const [minutes, setMinutes] = useState<number>(defaultMinutes.break);
  const serverFile = useServerFile();
  const names = useNames();
  const choose = (next: string | null) => {
    const chosen = choices.find((each) => each === next) ?? 'file';
    setChoice(chosen);
    if (chosen === 'break' || chosen === 'live') setMinutes(defaultMinutes[chosen]);
    setSource('');
    serverFile.reset();
  };
  const isTimed = choice === 'break' || choice === 'live';
  const isComplete = (!isTimed || minutes >= 1) && (choice === 'break' || source.trim() !== '');
  const add = async () => {
    if (choice === 'break') return onAdd({ id: '', kind: 'break', source: '', name: '', minutes });
    if (choice === 'live') return onAdd({ id: '', kind: 'live', source: source.trim(), name: '', minutes });
    if (choice !== 'server') return onAdd({ id: '', kind: choice, source, name: names.get(source) ?? '', minutes: 0 });
    const file = await serverFile.mutateAsync({ file: source.trim() }).catch(() => undefined);
    if (file) onAdd({ id: '', kind: 'file', source: file.target, name: file.name, minutes: 0 });
  };
  return (
    <div>
      <div className={classes.adder}>
        <Select
          label={t('adder.kind')}
          data={choices.map((value) => ({ value, label: t(`choice.${value}`) }))}
          value={choice}
          onChange={choose}
          allowDeselect={false}
        />
        {choice !== 'break' && <Source choice={choice} source={source} onChange={setSource} />}
        {isTimed && (
          <NumberInput
            label={t(choice === 'live' ? 'adder.longest' : 'adder.minutes')}
            value={minutes}
            min={1}
            max={maxChannelMinutes}
            onChange={(value) => setMinutes(Number(value))}
          />
        )}
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={!isComplete}
          loading={serverFile.isPending}
          onClick={() => void add()}
        >
          {label}
        </Button>
      </div>
      {serverFile.error && <InlineFailure error={serverFile.error} />}
    </div>
  );
}

function useNames(): ReadonlyMap<string, string> {
  const library = useLibraryFiles();
  const recordings = useRecordings();
  return new Map([
    ...(library.data?.files ?? []).map(({ target, name }) => [target, name] as const),
    ...(recordings.data ?? []).map(({ uuid, stream, begin }) => [uuid, `${stream} ${formatTimestamp(begin)}`] as const),
  ]);
}

interface SourceProps {
  choice: Exclude<Choice, 'break'>;
  source: string;
  onChange: (source: string) => void;
}

function Source({ choice, source, onChange }: SourceProps) {
  const { t } = useTranslation('channels');
  const library = useLibraryFiles();
  const recordings = useRecordings();
  const names = useNames();
  if (choice === 'live') return <LiveStreamField value={source} onChange={onChange} />;
  if (choice === 'server' || choice === 'folder') {
    return (
      <TextInput
        label={t(`adder.${choice}`)}
        placeholder={choice === 'folder' ? '/data/films' : '/data/films/film.mp4'}
        value={source}
        onChange={(event) => onChange(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
    );
  }
  const values =
    choice === 'file'
      ? (library.data?.files ?? []).map(({ target }) => target)
      : (recordings.data ?? []).filter(({ state }) => state === 'done').map(({ uuid }) => uuid);
  return (
    <Select
      label={t(`adder.${choice}`)}
      placeholder={t('adder.choose')}
      nothingFoundMessage={t(`adder.no-${choice}`)}
      data={values.map((value) => ({ value, label: names.get(value) ?? value }))}
      value={source || null}
      onChange={(value) => onChange(value ?? '')}
      searchable
    />
  );
}
