// Import of targets: a list as text or file, the server's verdict on each row, and a button that adds the valid rows.
import { Button, FileButton, Group, Text, Textarea } from '@mantine/core';
import type { ForwardListRow } from '@srs-stack/contract';
import { maxPushTargets } from '@srs-stack/contract/limits.ts';
import { IconFileText } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { monoInput } from '../../../ui/mono-input.ts';
import classes from '../forwards.module.css';
import { useCheckList } from '../queries.ts';
import { ListPreview } from './list-preview.tsx';
import { type ListProblem, maxListLength, parseList } from './parse-list.ts';

const example = 'name,server,key,source,group\nMain,rtmp://live.example/app,abcd-1234,livestream,Monday';

export default function ListImport({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('forwards');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<ListProblem>();
  const [rows, setRows] = useState<readonly ForwardListRow[]>();
  const check = useCheckList();
  const change = (value: string) => {
    setText(value);
    setProblem(undefined);
  };
  const takeFile = async (file: File | null) => {
    if (!file) return;
    // A character has at most four bytes.
    if (file.size > maxListLength * 4) setProblem('too-large');
    else change(await file.text());
  };
  const preview = () => {
    const parsed = parseList(text);
    if ('problem' in parsed) {
      setProblem(parsed.problem);
      return;
    }
    check.mutate({ targets: [...parsed.rows], preview: true }, { onSuccess: () => setRows(parsed.rows) });
  };
  if (rows && check.data)
    return <ListPreview rows={rows} judged={check.data.rows} onBack={() => setRows(undefined)} onDone={onDone} />;
  return (
    <div className={classes.list}>
      <Text size="sm" c="dimmed">
        {t('list.text', { maximum: maxPushTargets })}
      </Text>
      <Textarea
        label={t('list.field')}
        placeholder={example}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        error={problem && t(`list.problem.${problem}`, { maximum: maxPushTargets })}
        rows={9}
        spellCheck={false}
        autoComplete="off"
        styles={monoInput}
      />
      <Group justify="space-between">
        <FileButton onChange={(file) => void takeFile(file)} accept=".csv,.tsv,.txt,.json,text/csv,application/json">
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconFileText size={18} aria-hidden />}>
              {t('list.file')}
            </Button>
          )}
        </FileButton>
        <Button loading={check.isPending} onClick={preview}>
          {t('list.preview')}
        </Button>
      </Group>
    </div>
  );
}
