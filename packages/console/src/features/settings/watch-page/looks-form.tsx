// Form for all appearance entries, with a preview. One button saves all entries.
import { ActionIcon, Button, Select, TextInput, Tooltip } from '@mantine/core';
import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { maxWatchPageLooks } from '@srs-stack/contract/limits.ts';
import { isValidStreamPattern, maxStreamPatternLength } from '@srs-stack/contract/stream-pattern.ts';
import { emptyWatchPageLook, type WatchPageLook } from '@srs-stack/contract/values/watch-page.ts';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsFooter } from '../../../shared/settings-form/settings-footer.tsx';
import { useSettingsForm } from '../../../shared/settings-form/use-settings-form.ts';
import { monoInput } from '../../../ui/mono-input.ts';
import { previewed, serverPattern, toStored, withServer } from './look-draft.ts';
import { LookFields } from './look-fields.tsx';
import { PagePreview } from './page-preview.tsx';
import classes from './watch-page.module.css';

export function LooksForm({ stored }: { stored: ResponseOf<typeof calls.queryWatchPages> }) {
  const { t } = useTranslation('watch-page');
  const [chosen, setChosen] = useState(serverPattern);
  const form = useSettingsForm({
    stored: { looks: withServer(stored.looks) },
    revision: stored.revision,
    update: calls.updateWatchPages,
    refreshes: [calls.queryWatchPages],
    toRequest: ({ looks }, revision) => ({
      looks: toStored(looks),
      ...(revision === undefined ? {} : { revision }),
    }),
    savedText: t('saved'),
  });
  const { looks } = form.values;
  const found = looks.findIndex(({ pattern }) => pattern === chosen);
  const at = Math.max(0, found);
  const look = looks[at] ?? emptyWatchPageLook;
  const change = (next: WatchPageLook[]) => form.change({ looks: next });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    form.save();
  };
  return (
    <div className={classes.columns}>
      <form onSubmit={onSubmit} noValidate>
        <StreamChoice
          looks={looks}
          chosen={look.pattern}
          onChoose={setChosen}
          onAdd={(pattern) => {
            change([...looks, { ...emptyWatchPageLook, pattern }]);
            setChosen(pattern);
          }}
          onRemove={() => {
            change(looks.toSpliced(at, 1));
            setChosen(serverPattern);
          }}
        />
        <LookFields
          key={look.pattern}
          look={look}
          isServer={look.pattern === serverPattern}
          onChange={(part) => change(looks.with(at, { ...look, ...part }))}
        />
        <SettingsFooter form={form} />
      </form>
      <PagePreview look={previewed(looks, look)} />
    </div>
  );
}

interface StreamChoiceProps {
  looks: readonly WatchPageLook[];
  chosen: string;
  onChoose: (pattern: string) => void;
  onAdd: (pattern: string) => void;
  onRemove: () => void;
}

function StreamChoice({ looks, chosen, onChoose, onAdd, onRemove }: StreamChoiceProps) {
  const { t } = useTranslation('watch-page');
  const remove = t('remove', { pattern: chosen });
  return (
    <>
      <div className={classes.choice}>
        <Select
          label={t('entry')}
          data={looks.map(({ pattern }) => ({
            value: pattern,
            label: pattern === serverPattern ? t('server') : pattern,
          }))}
          value={chosen}
          allowDeselect={false}
          onChange={(pattern) => onChoose(pattern ?? serverPattern)}
        />
        {chosen !== serverPattern && (
          <Tooltip label={remove}>
            <ActionIcon size="input-sm" variant="default" aria-label={remove} onClick={onRemove}>
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      <NewEntry looks={looks} onAdd={onAdd} />
    </>
  );
}

function NewEntry({ looks, onAdd }: Pick<StreamChoiceProps, 'looks' | 'onAdd'>) {
  const { t } = useTranslation('watch-page');
  const [pattern, setPattern] = useState<string>();
  const [isRefused, setIsRefused] = useState(false);
  if (pattern === undefined) {
    return (
      <Button
        mt="xs"
        variant="default"
        size="xs"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={looks.length >= maxWatchPageLooks}
        onClick={() => setPattern('')}
      >
        {t('add')}
      </Button>
    );
  }
  const add = () => {
    const isRight = isValidStreamPattern(pattern) && looks.every((look) => look.pattern !== pattern);
    setIsRefused(!isRight);
    if (!isRight) return;
    setPattern(undefined);
    onAdd(pattern);
  };
  return (
    <div className={classes.choice}>
      <TextInput
        label={t('pattern')}
        placeholder="live/*"
        value={pattern}
        maxLength={maxStreamPatternLength}
        onChange={(event) => setPattern(event.currentTarget.value.trim())}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
        error={isRefused ? t('patternWrong') : undefined}
        autoComplete="off"
        spellCheck={false}
        styles={monoInput}
        data-autofocus
      />
      <Button variant="default" onClick={add}>
        {t('addThis')}
      </Button>
    </div>
  );
}
