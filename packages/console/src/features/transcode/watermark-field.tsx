import { Button, FileButton, Select, SimpleGrid, Slider, Text } from '@mantine/core';
import type { TranscodeWatermark } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { maxWatermarkBytes } from '@srs-stack/contract/limits.ts';
import {
  transcodePictureRules,
  watermarkCorners,
  watermarkDefaults,
} from '@srs-stack/contract/values/transcode-picture.ts';
import { IconPhotoPlus, IconPhotoX, IconReplace } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { apiKey, apiMutation, apiQuery } from '../../api/api-query.ts';
import { formatBytes } from '../../shared/format-bytes.ts';
import { InlineFailure } from '../../shared/inline-failure.tsx';
import { FieldGroup } from '../../ui/field-group.tsx';
import classes from './picture.module.css';
import { WatermarkPreview } from './watermark-preview.tsx';

const pictureTypes = 'image/png,image/jpeg,image/webp';

interface WatermarkFieldProps {
  watermark: TranscodeWatermark | null;
  onChange: (watermark: TranscodeWatermark | null) => void;
}

export function WatermarkField({ watermark, onChange }: WatermarkFieldProps) {
  const { t } = useTranslation('transcode');
  const upload = useUpload((image) => onChange({ ...(watermark ?? watermarkDefaults), image }));
  return (
    <FieldGroup name={t('watermark.title')}>
      {watermark ? (
        <Placement watermark={watermark} onChange={onChange} />
      ) : (
        <p className={classes.note}>{t('watermark.none')}</p>
      )}
      <div className={classes.buttons}>
        <FileButton accept={pictureTypes} onChange={upload.send} inputProps={{ 'aria-label': t('watermark.file') }}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              size="sm"
              loading={upload.isPending}
              leftSection={watermark ? <IconReplace size={18} aria-hidden /> : <IconPhotoPlus size={18} aria-hidden />}
            >
              {t(watermark ? 'watermark.replace' : 'watermark.choose')}
            </Button>
          )}
        </FileButton>
        {watermark && (
          <Button
            variant="subtle"
            color="amber"
            size="sm"
            leftSection={<IconPhotoX size={18} aria-hidden />}
            onClick={() => onChange(null)}
          >
            {t('watermark.remove')}
          </Button>
        )}
      </div>
      {upload.isTooLarge && (
        <Text size="sm" c="broken" role="alert">
          {t('watermark.tooLarge')}
        </Text>
      )}
      {upload.error !== null && <InlineFailure error={upload.error} />}
    </FieldGroup>
  );
}

function Placement({ watermark, onChange }: { watermark: TranscodeWatermark } & Pick<WatermarkFieldProps, 'onChange'>) {
  const { t, i18n } = useTranslation('transcode');
  const stored = useQuery({
    ...apiQuery(calls.queryWatermark, { id: watermark.image }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const set = (part: Partial<TranscodeWatermark>) => onChange({ ...watermark, ...part });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="lg">
      <div>
        <WatermarkPreview watermark={watermark} image={stored.data} />
        {stored.data && (
          <Text size="xs" c="dimmed" mt={4}>
            {stored.data.width} × {stored.data.height} · {formatBytes(stored.data.sizeBytes, i18n.language)}
          </Text>
        )}
        {stored.isError && <InlineFailure error={stored.error} />}
      </div>
      <div className={classes.controls}>
        <Select
          label={t('watermark.corner')}
          data={watermarkCorners.map((value) => ({ value, label: t(`corner.${value}`) }))}
          value={watermark.corner}
          onChange={(corner) => corner && set({ corner })}
          allowDeselect={false}
          checkIconPosition="right"
        />
        <Percent name="widthPercent" watermark={watermark} set={set} />
        <Percent name="marginPercent" watermark={watermark} set={set} />
        <Percent name="opacityPercent" watermark={watermark} set={set} />
      </div>
    </SimpleGrid>
  );
}

function Percent({ name, watermark, set }: PercentProps) {
  const { t } = useTranslation('transcode');
  const { min, max } = transcodePictureRules[name];
  return (
    <div>
      <div className={classes.percent}>
        <span>{t(`watermark.${name}`)}</span>
        <output>{watermark[name]}%</output>
      </div>
      <Slider
        thumbLabel={t(`watermark.${name}`)}
        label={null}
        min={min}
        max={max}
        value={watermark[name]}
        onChange={(value) => set({ [name]: value })}
      />
    </div>
  );
}

interface PercentProps {
  name: 'widthPercent' | 'marginPercent' | 'opacityPercent';
  watermark: TranscodeWatermark;
  set: (part: Partial<TranscodeWatermark>) => void;
}

function useUpload(onStored: (id: string) => void) {
  const client = useQueryClient();
  const [isTooLarge, setIsTooLarge] = useState(false);
  const upload = useMutation({
    ...apiMutation(calls.uploadWatermark),
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: apiKey(calls.queryWatermark, { id }) });
      onStored(id);
    },
  });
  const send = async (file: File | null) => {
    if (file === null) return;
    upload.reset();
    setIsTooLarge(file.size > maxWatermarkBytes);
    if (file.size <= maxWatermarkBytes) upload.mutate({ data: await base64Of(file) });
  };
  return { send: (file: File | null) => void send(file), isTooLarge, isPending: upload.isPending, error: upload.error };
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
