// The playlist, which repeats after its last entry.
import { ActionIcon, Badge, Tooltip } from '@mantine/core';
import type { MediaSource } from '@srs-stack/contract';
import { IconArrowDown, IconArrowUp, IconFile, IconServer2, IconUpload, IconWorld, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { moved } from '../playlist-order.ts';
import { sourceText, totalMegabytes } from '../source-text.ts';
import classes from './source.module.css';

export interface PlaylistProps {
  files: readonly MediaSource[];
  onChange: (files: MediaSource[]) => void;
}

const signs = { upload: IconUpload, file: IconServer2, stream: IconWorld, ytdl: IconFile, '': IconFile } as const;

export function Playlist({ files, onChange }: PlaylistProps) {
  const { t, i18n } = useTranslation('vlives');
  return (
    <>
      <ol className={classes.playlist} aria-label={t('playlist.title')}>
        {files.map((file, index) => (
          // A file may occur in the list more than once.
          // biome-ignore lint/suspicious/noArrayIndexKey: the position distinguishes two entries of one file
          <li key={`${file.uuid} ${index}`} className={classes.entry}>
            <Facts file={file} />
            <div className={classes.tools}>
              {files.length > 1 && (
                <>
                  <Tool
                    label={t('playlist.up', { name: file.name })}
                    isDisabled={index === 0}
                    onClick={() => onChange(moved(files, index, -1))}
                  >
                    <IconArrowUp size={18} aria-hidden />
                  </Tool>
                  <Tool
                    label={t('playlist.down', { name: file.name })}
                    isDisabled={index === files.length - 1}
                    onClick={() => onChange(moved(files, index, 1))}
                  >
                    <IconArrowDown size={18} aria-hidden />
                  </Tool>
                </>
              )}
              <Tool
                label={t('playlist.remove', { name: file.name })}
                onClick={() => onChange(files.filter((_file, place) => place !== index))}
              >
                <IconX size={18} aria-hidden />
              </Tool>
            </div>
          </li>
        ))}
      </ol>
      {files[0]?.type !== 'stream' && (
        <p className={classes.note}>
          {t('playlist.loops', { count: files.length, size: totalMegabytes(files, i18n.language) })}
        </p>
      )}
    </>
  );
}

function Facts({ file }: { file: MediaSource }) {
  const { t, i18n } = useTranslation('vlives');
  const Sign = signs[file.type];
  const { format, video, audio } = sourceText(file, i18n.language);
  const lines = [
    ['format', format],
    ['video', video],
    ['audio', audio],
  ] as const;
  return (
    <div className={classes.facts}>
      <strong title={file.type === 'stream' ? file.target : file.name}>
        <Sign size={16} aria-hidden /> {file.name || file.target}
      </strong>
      {lines.map(([name, values]) =>
        values.length > 0 || name !== 'format' ? (
          <span key={name}>
            <i>{t(`playlist.${name}`)}</i> {values.join(' · ') || t('playlist.none')}
            {name === 'video' && <EncodeNote video={file.video} />}
          </span>
        ) : null,
      )}
    </div>
  );
}

function EncodeNote({ video }: Pick<MediaSource, 'video'>) {
  const { t } = useTranslation('vlives');
  if (!video?.encodes) return null;
  return (
    <Tooltip label={t(`playlist.encodes.${video.encodes}`)} multiline maw={320}>
      <Badge size="xs" color="amber" variant="light" ml={6} tabIndex={0}>
        {t('playlist.encoded')}
      </Badge>
    </Tooltip>
  );
}

function Tool({ label, isDisabled = false, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon size="lg" aria-label={label} disabled={isDisabled} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

interface ToolProps {
  label: string;
  isDisabled?: boolean;
  onClick: () => void;
  children: React.ReactNode;
}
