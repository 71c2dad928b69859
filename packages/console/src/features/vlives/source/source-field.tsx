// Source of a target: the playlist, or three ways to select a source.
import { Alert, Button, SegmentedControl, Text } from '@mantine/core';
import type { MediaSource, MediaSourceItem } from '@srs-stack/contract';
import { IconAlertTriangle, IconArrowBackUp, IconPlus, IconReplace } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InlineFailure } from '../../../shared/inline-failure.tsx';
import { FieldGroup } from '../../../ui/field-group.tsx';
import { useSetSource } from '../queries.ts';
import { UploadPanel } from '../upload/upload-panel.tsx';
import { modeOfFiles, type SourceMode } from '../validate-vlive.ts';
import { LibraryList } from './library-list.tsx';
import { Playlist } from './playlist.tsx';
import { ServerFileForm } from './server-file-form.tsx';
import classes from './source.module.css';
import { StreamUrlForm } from './stream-url-form.tsx';

export interface SourceFieldProps {
  platform: string;
  files: readonly MediaSource[];
  /** The stored source, to which the operator can return. */
  storedFiles: readonly MediaSource[];
  onChange: (files: MediaSource[]) => void;
  error: string | undefined;
}

const modes = ['upload', 'file', 'stream'] as const;

export function SourceField({ platform, files, storedFiles, onChange, error }: SourceFieldProps) {
  const { t } = useTranslation('vlives');
  const source = useSetSource(platform);
  const [isAdding, setIsAdding] = useState(false);
  const [chosenMode, setChosenMode] = useState<SourceMode>();
  const mode = chosenMode ?? modeOfFiles(files) ?? 'upload';
  const isListed = files.length > 0;
  const isPicking = !isListed || isAdding;
  const changeMode = (next: string) => {
    setChosenMode(next as SourceMode);
    source.reset();
    if (isListed) setIsAdding(true);
  };
  const take = async (item: MediaSourceItem) => {
    // A playlist with a live stream has no other items, because a live stream has no end.
    const kept = item.type === 'stream' || modeOfFiles(files) === 'stream' ? [] : files;
    const checked = await source.set([...kept, item]).catch(() => undefined);
    if (checked === undefined) return;
    onChange(checked);
    setIsAdding(false);
    setChosenMode(undefined);
  };
  const clear = () => {
    setChosenMode(mode);
    onChange([]);
  };
  return (
    <FieldGroup name={t('source.title')}>
      <SegmentedControl
        fullWidth
        aria-label={t('source.title')}
        value={mode}
        onChange={changeMode}
        data={modes.map((value) => ({ value, label: t(`source.mode.${value}`) }))}
      />
      {isListed && <Playlist files={files} onChange={onChange} />}
      {isListed && (
        <div className={classes.buttons}>
          <Button variant="default" size="sm" leftSection={<IconReplace size={18} aria-hidden />} onClick={clear}>
            {t('source.change')}
          </Button>
          {!isAdding && modeOfFiles(files) !== 'stream' && (
            <Button
              variant="default"
              size="sm"
              leftSection={<IconPlus size={18} aria-hidden />}
              onClick={() => setIsAdding(true)}
            >
              {t('source.add')}
            </Button>
          )}
        </div>
      )}
      {isPicking && (
        <div className={classes.picker} aria-busy={source.isPending}>
          {mode === 'upload' && <UploadPanel platform={platform} onReceived={(item) => void take(item)} />}
          {mode === 'file' && <ServerFileForm isChecking={source.isPending} onAcquired={take} />}
          {mode === 'stream' && <StreamUrlForm isChecking={source.isPending} onAcquired={take} />}
          {source.isPending && <Text size="sm">{t('source.checking')}</Text>}
          {source.error && <InlineFailure error={source.error} />}
          {mode !== 'stream' && <LibraryList files={files} isChecking={source.isPending} onUse={take} />}
          {!isListed && storedFiles.length > 0 && (
            <BackButton text={t('source.keep')} onClick={() => onChange([...storedFiles])} />
          )}
          {isListed && <BackButton text={t('source.addNothing')} onClick={() => setIsAdding(false)} />}
        </div>
      )}
      {error && (
        <Alert
          role="alert"
          variant="light"
          color="broken"
          p="sm"
          icon={<IconAlertTriangle aria-hidden />}
          data-invalid
          tabIndex={-1}
        >
          {error}
        </Alert>
      )}
    </FieldGroup>
  );
}

function BackButton({ text, onClick }: { text: string; onClick: () => void }) {
  return (
    <div>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        leftSection={<IconArrowBackUp size={16} aria-hidden />}
        onClick={onClick}
      >
        {text}
      </Button>
    </div>
  );
}
