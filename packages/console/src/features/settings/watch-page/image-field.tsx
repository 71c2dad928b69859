// Field for an image of the watch page. The browser reduces a file that is too large before the upload.
import { Button, FileButton, Text } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import type { WatchImageUse } from '@srs-stack/contract/values/watch-page.ts';
import { IconPhotoPlus, IconPhotoX, IconReplace } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { apiMutation } from '../../../api/api-query.ts';
import { fittedImage } from '../../../shared/fitted-image.ts';
import { InlineFailure } from '../../../shared/inline-failure.tsx';
import { FieldGroup } from '../../../ui/field-group.tsx';
import classes from './watch-page.module.css';

interface ImageFieldProps {
  use: WatchImageUse;
  /** File name; '' for no image. */
  name: string;
  onChange: (name: string) => void;
}

export function ImageField({ use, name, onChange }: ImageFieldProps) {
  const { t } = useTranslation('watch-page');
  const [isUnreadable, setIsUnreadable] = useState(false);
  const upload = useMutation({
    ...apiMutation(calls.uploadWatchPicture),
    onSuccess: ({ name: stored }) => onChange(stored),
  });
  const send = async (file: File | null) => {
    if (file === null) return;
    upload.reset();
    const data = await fittedImage(file, use).catch(() => undefined);
    setIsUnreadable(data === undefined);
    if (data !== undefined) upload.mutate({ use, data });
  };
  return (
    <FieldGroup name={t(use)}>
      <div className={classes.thumbnail} data-use={use}>
        {name === '' ? (
          <span className={classes.none}>{t('noPicture')}</span>
        ) : (
          <img src={`/watch/pictures/${name}`} alt={t(`${use}Shown`)} />
        )}
      </div>
      <div className={classes.buttons}>
        <FileButton
          accept="image/png,image/jpeg,image/webp"
          onChange={(file) => void send(file)}
          inputProps={{ 'aria-label': t(`${use}Choose`) }}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              size="xs"
              loading={upload.isPending}
              leftSection={
                name === '' ? <IconPhotoPlus size={16} aria-hidden /> : <IconReplace size={16} aria-hidden />
              }
            >
              {t(name === '' ? `${use}Choose` : 'replacePicture')}
            </Button>
          )}
        </FileButton>
        {name !== '' && (
          <Button
            variant="subtle"
            color="amber"
            size="xs"
            leftSection={<IconPhotoX size={16} aria-hidden />}
            aria-label={t(`${use}Remove`)}
            onClick={() => onChange('')}
          >
            {t('removePicture')}
          </Button>
        )}
      </div>
      {isUnreadable && (
        <Text size="sm" c="broken" role="alert">
          {t('pictureUnreadable')}
        </Text>
      )}
      {upload.error !== null && <InlineFailure error={upload.error} />}
    </FieldGroup>
  );
}
