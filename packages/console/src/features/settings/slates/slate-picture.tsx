// The image of the slate as viewers will see it: chosen, made small enough here, shown before it is saved, or none.
import { Button, FileButton, Text } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { IconPhotoPlus, IconPhotoX, IconReplace } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { apiQuery } from '../../../api/api-query.ts';
import { fittedPicture } from '../../../shared/fitted-picture.ts';
import { FieldGroup } from '../../../ui/field-group.tsx';
import classes from './slates.module.css';

export interface SlatePictureProps {
  /** Whether the server has an image. */
  hasStored: boolean;
  /** A chosen file in base64, '' for a dark screen; null: the stored one. */
  image: string | null;
  onChange: (image: string) => void;
}

export function SlatePicture({ hasStored, image, onChange }: SlatePictureProps) {
  const { t } = useTranslation('slates');
  const [isUnreadable, setIsUnreadable] = useState(false);
  const stored = useQuery({ ...apiQuery(calls.querySlatePicture, {}), enabled: hasStored });
  const shown = image === null ? (hasStored ? (stored.data?.picture ?? '') : '') : asAddress(image);
  const choose = async (file: File | null) => {
    if (file === null) return;
    const chosen = await fittedPicture(file, 'picture').catch(() => undefined);
    setIsUnreadable(chosen === undefined);
    if (chosen !== undefined) onChange(chosen);
  };
  return (
    <FieldGroup name={t('picture.label')}>
      <div className={classes.screen}>
        {shown === '' ? <span>{t('picture.none')}</span> : <img src={shown} alt={t('picture.shown')} />}
      </div>
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
                shown === '' ? <IconPhotoPlus size={16} aria-hidden /> : <IconReplace size={16} aria-hidden />
              }
            >
              {t(shown === '' ? 'picture.choose' : 'picture.replace')}
            </Button>
          )}
        </FileButton>
        {shown !== '' && (
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

/** Browsers detect the type of an image by its content, whatever type its URL contains. */
function asAddress(base64: string): string {
  return base64 === '' ? '' : `data:image/png;base64,${base64}`;
}
