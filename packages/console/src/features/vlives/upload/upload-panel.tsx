import { Button, FileButton, Progress, Text } from '@mantine/core';
import { uploadExtensions } from '@srs-stack/contract/constants.ts';
import { IconFileUpload, IconFolderOpen, IconX } from '@tabler/icons-react';
import { type DragEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { InlineFailure } from '../../../shared/inline-failure.tsx';
import { totalMegabytes } from '../source-text.ts';
import { hasUploadType } from '../validate-vlive.ts';
import { forgetInterrupted, interruptedUploads } from './interrupted-uploads.ts';
import { percentOf } from './upload-meter.ts';
import classes from './upload-panel.module.css';
import { startUpload, type Upload, uploadStore } from './uploads.ts';

export interface UploadPanelProps {
  platform: string;
  onReceived: (item: NonNullable<Upload['item']>) => void;
}

export function UploadPanel({ platform, onReceived }: UploadPanelProps) {
  const { t } = useTranslation('vlives');
  const upload = useSyncExternalStore(uploadStore.subscribe, () => uploadStore.of(platform));
  const [file, setFile] = useState<File | null>(null);
  const [isRefused, setIsRefused] = useState(false);
  useHandOver(platform, upload, onReceived);
  const choose = (chosen: File | null) => {
    if (chosen === null) return;
    setIsRefused(!hasUploadType(chosen.name));
    setFile(hasUploadType(chosen.name) ? chosen : null);
    if (upload?.phase === 'failed') uploadStore.drop(platform);
  };
  const isSending = upload !== undefined && upload.phase !== 'failed';
  const shown = upload ?? (file ? { name: file.name, totalBytes: file.size } : undefined);
  return (
    <div className={classes.panel}>
      <DropArea isDisabled={isSending} onChoose={choose} />
      {isRefused && (
        <Text size="sm" c="broken" role="alert">
          {t('upload.wrongType')}
        </Text>
      )}
      {shown ? <ChosenFile {...shown} upload={upload} /> : <p className={classes.none}>{t('upload.none')}</p>}
      {upload?.phase === 'failed' && <InlineFailure error={upload.error} />}
      <div className={classes.buttons}>
        <Button
          disabled={file === null || isSending}
          loading={isSending}
          leftSection={<IconFileUpload size={18} aria-hidden />}
          onClick={() => file && void startUpload(platform, file)}
        >
          {t(upload?.phase === 'failed' ? 'upload.again' : 'upload.start')}
        </Button>
        {upload?.phase === 'sending' && (
          <Button
            variant="default"
            leftSection={<IconX size={18} aria-hidden />}
            onClick={() => uploadStore.drop(platform)}
          >
            {t('upload.cancel')}
          </Button>
        )}
      </div>
      {shown === undefined && <Interrupted />}
    </div>
  );
}

/** Passes a finished upload to the page exactly once, even if the upload finished while the page was closed. */
function useHandOver(platform: string, upload: Upload | undefined, onReceived: UploadPanelProps['onReceived']): void {
  const receive = useRef(onReceived);
  receive.current = onReceived;
  const item = upload?.phase === 'done' ? upload.item : undefined;
  useEffect(() => {
    if (item === undefined) return;
    uploadStore.drop(platform);
    receive.current(item);
  }, [item, platform]);
}

function DropArea({ isDisabled, onChoose }: { isDisabled: boolean; onChoose: (file: File | null) => void }) {
  const { t } = useTranslation('vlives');
  const [isOver, setIsOver] = useState(false);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    if (!isDisabled) onChoose(event.dataTransfer.files[0] ?? null);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button inside does the same
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrop}
    >
      <IconFileUpload size={28} stroke={1.5} aria-hidden />
      <span>{t('upload.drop')}</span>
      <FileButton accept={uploadExtensions.join(',')} onChange={onChoose} disabled={isDisabled}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            size="sm"
            disabled={isDisabled}
            leftSection={<IconFolderOpen size={18} aria-hidden />}
          >
            {t('upload.choose')}
          </Button>
        )}
      </FileButton>
      <small>{t('upload.types')}</small>
    </div>
  );
}

function ChosenFile({ name, totalBytes, upload }: { name: string; totalBytes: number; upload: Upload | undefined }) {
  const { t, i18n } = useTranslation('vlives');
  const size = t('upload.size', { size: totalMegabytes([{ size: totalBytes }], i18n.language) });
  const percent = upload ? percentOf(upload.sentBytes, upload.totalBytes) : 0;
  return (
    <div className={classes.file}>
      <div className={classes.fileHead}>
        <strong>{name}</strong>
        <span>{size}</span>
      </div>
      {upload && (
        <>
          <Progress value={percent} aria-label={t('upload.progress', { name })} animated={upload.phase === 'sending'} />
          <div className={classes.figures}>
            <span>{percent}%</span>
            <span>{t('upload.speed', { speed: upload.speedMbps.toFixed(1) })}</span>
            <span>{t('upload.elapsed', { seconds: Math.round(upload.elapsedMs / 1000) })}</span>
          </div>
        </>
      )}
      <div className={classes.total}>{t('upload.total', { size })}</div>
    </div>
  );
}

function Interrupted() {
  const { t, i18n } = useTranslation('vlives');
  const [cut, setCut] = useState(() => interruptedUploads(localStorage, Date.now())[0]);
  if (cut === undefined) return null;
  const forget = () => {
    forgetInterrupted(localStorage, cut);
    setCut(interruptedUploads(localStorage, Date.now())[0]);
  };
  return (
    <div className={classes.interrupted} role="status">
      <span>
        {t('upload.interrupted', { name: cut.name, size: totalMegabytes([{ size: cut.totalBytes }], i18n.language) })}
      </span>
      <Button size="xs" variant="subtle" color="gray" onClick={forget}>
        {t('upload.forget')}
      </Button>
    </div>
  );
}
