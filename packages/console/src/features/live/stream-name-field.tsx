// The stream name of the page, editable in place. Only names that every protocol supports are accepted.
import { ActionIcon, Button, Group, TextInput, Tooltip } from '@mantine/core';
import { maxNameLength } from '@srs-stack/contract/limits.ts';
import { isValidStreamName } from '@srs-stack/contract/stream-name.ts';
import { IconCheck, IconDice5, IconPencil, IconX } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { StreamName } from '../../shared/publish-guide/use-stream-name.ts';
import { HelpToast } from '../../ui/help-toast.tsx';
import classes from './live-page.module.css';

export function StreamNameField({ streamName }: { streamName: StreamName }) {
  const { t } = useTranslation('live');
  const [draft, setDraft] = useState<string>();
  if (draft !== undefined) {
    return <NameForm draft={draft} onDraft={setDraft} onDone={() => setDraft(undefined)} onSave={streamName.change} />;
  }
  return (
    <Group gap="xs" className={classes.name ?? ''}>
      <span className={classes.nameLabel}>{t('name.label')}</span>
      <output className={classes.nameValue}>{streamName.name}</output>
      <Tooltip label={t('name.edit')}>
        <ActionIcon size="lg" aria-label={t('name.edit')} onClick={() => setDraft(streamName.name)}>
          <IconPencil size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('name.renew')}>
        <ActionIcon size="lg" aria-label={t('name.renew')} onClick={streamName.renew}>
          <IconDice5 size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <HelpToast title={t('name.help.title')}>{t('name.help.text')}</HelpToast>
    </Group>
  );
}

interface NameFormProps {
  draft: string;
  onDraft: (draft: string) => void;
  onDone: () => void;
  onSave: (name: string) => void;
}

function NameForm({ draft, onDraft, onDone, onSave }: NameFormProps) {
  const { t } = useTranslation('live');
  const isValid = isValidStreamName(draft);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isValid) return;
    onSave(draft);
    onDone();
  };
  return (
    <form onSubmit={save} className={classes.nameForm} onKeyDown={(event) => event.key === 'Escape' && onDone()}>
      <TextInput
        label={t('name.label')}
        value={draft}
        onChange={(event) => onDraft(event.currentTarget.value.trim())}
        error={isValid ? undefined : t('name.invalid')}
        maxLength={maxNameLength}
        autoFocus
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
      />
      <Group gap="xs">
        <Button type="submit" size="sm" disabled={!isValid} leftSection={<IconCheck size={16} aria-hidden />}>
          {t('name.save')}
        </Button>
        <Button size="sm" variant="default" onClick={onDone} leftSection={<IconX size={16} aria-hidden />}>
          {t('name.cancel')}
        </Button>
      </Group>
    </form>
  );
}
