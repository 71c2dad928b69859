// Image selection, and a preview of the unsaved slate as the server encodes it.
import { Button, FileButton, Text } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { IconPhotoPlus, IconPhotoX, IconReplace } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { apiQuery } from '../../../api/api-query.ts';
import { fittedImage } from '../../../shared/fitted-image.ts';
import { InlineFailure } from '../../../shared/inline-failure.tsx';
import { FieldGroup } from '../../../ui/field-group.tsx';
import type { SlateDraft } from './slate-draft.ts';
import classes from './slates.module.css';
import { useSlatePreview } from './use-slate-preview.ts';

export interface SlateImageProps {
  hasStored: boolean;
  draft: SlateDraft;
  /** @param image selected file in base64; '' for a dark screen. */
  onChange: (image: string) => void;
}

export function SlateImage({ hasStored, draft, onChange }: SlateImageProps) {
  const { t } = useTranslation('slates');
  const { image } = draft;
  const [isUnreadable, setIsUnreadable] = useState(false);
  const stored = useQuery({ ...apiQuery(calls.querySlatePicture, {}), enabled: hasStored });
  const plain = image === null ? (hasStored ? (stored.data?.picture ?? '') : '') : asAddress(image);
  const preview = useSlatePreview(draft);
  const shown = preview.picture ?? plain;
  const choose = async (file: File | null) => {
    if (file === null) return;
    const chosen = await fittedImage(file, 'picture').catch(() => undefined);
    setIsUnreadable(chosen === undefined);
    if (chosen !== undefined) onChange(chosen);
  };
  return (
    <FieldGroup name={t('picture.label')}>
      <div className={classes.screen} aria-busy={preview.isDrawing}>
        {shown === '' ? <span>{t('picture.none')}</span> : <img src={shown} alt={t('picture.shown')} />}
      </div>
      {preview.error && <InlineFailure error={preview.error} />}
      <div className={classes.buttons}>
        <FileButton
          accept="image/png,image/jpeg,image/webp"
          onChange={(file) => void choose(file)}
          inputProps={{ 'aria-label': t('picture.choose') }}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              size="xs"
              leftSection={
                plain === '' ? <IconPhotoPlus size={16} aria-hidden /> : <IconReplace size={16} aria-hidden />
              }
            >
              {t(plain === '' ? 'picture.choose' : 'picture.replace')}
            </Button>
          )}
        </FileButton>
        {plain !== '' && (
          <Button
            variant="subtle"
            color="amber"
            size="xs"
            leftSection={<IconPhotoX size={16} aria-hidden />}
            onClick={() => onChange('')}
          >
            {t('picture.remove')}
          </Button>
        )}
      </div>
      <Text size="xs" c="dimmed" mt={6}>
        {draft.content !== 'image' && `${t(`picture.hintOf.${draft.content}`)} `}
        {t('picture.hint')}
      </Text>
      {isUnreadable && (
        <Text size="sm" c="broken" role="alert">
          {t('picture.unreadable')}
        </Text>
      )}
    </FieldGroup>
  );
}

/** `data:` URL of an image. Declares PNG for every type, because browsers detect the actual type. */
function asAddress(base64: string): string {
  return base64 === '' ? '' : `data:image/png;base64,${base64}`;
}
