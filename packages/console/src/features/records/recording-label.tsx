// Marks and texts that the operator gives a recording: a button for the keep mark, a form for title and notes.
import { ActionIcon, Button, Group, Stack, Textarea, TextInput, Tooltip } from '@mantine/core';
import type { RecordRow } from '@srs-stack/contract';
import { maxRecordNotesLength, maxRecordTitleLength } from '@srs-stack/contract/limits.ts';
import { IconBookmark, IconBookmarkFilled, IconDeviceFloppy } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLabelRecord } from './queries.ts';

export function KeepButton({ row, name }: { row: RecordRow; name: string }) {
  const { t } = useTranslation('records');
  const label = useLabelRecord();
  const Sign = row.keep ? IconBookmarkFilled : IconBookmark;
  return (
    <Tooltip label={t(row.keep ? 'label.keepOn' : 'label.keepOff')} multiline maw="16rem">
      <ActionIcon
        size="lg"
        aria-label={t('label.keepOf', { name })}
        aria-pressed={row.keep}
        loading={label.isPending}
        onClick={() => label.mutate({ uuid: row.uuid, keep: !row.keep })}
      >
        <Sign size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

export function LabelForm({ row }: { row: RecordRow }) {
  const { t } = useTranslation('records');
  const label = useLabelRecord();
  const [title, setTitle] = useState(row.title);
  const [notes, setNotes] = useState(row.notes);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    label.mutate({ uuid: row.uuid, title: title.trim(), notes: notes.trim() });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={t('label.title')}
          value={title}
          maxLength={maxRecordTitleLength}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <Textarea
          label={t('label.notes')}
          value={notes}
          maxLength={maxRecordNotesLength}
          rows={3}
          onChange={(event) => setNotes(event.currentTarget.value)}
        />
        <Group>
          <Button
            type="submit"
            variant="default"
            size="xs"
            loading={label.isPending}
            leftSection={<IconDeviceFloppy size={16} aria-hidden />}
          >
            {t('label.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
