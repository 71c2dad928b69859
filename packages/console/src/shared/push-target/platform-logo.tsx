import {
  type Icon,
  IconBrandBilibili,
  IconBrandFacebook,
  IconBrandInstagram,
  IconBrandKick,
  IconBrandLinkedin,
  IconBrandTelegram,
  IconBrandTiktok,
  IconBrandTwitch,
  IconBrandVimeo,
  IconBrandWechat,
  IconBrandX,
  IconBrandYoutube,
  IconServer2,
  IconVideo,
} from '@tabler/icons-react';
import classes from './platform-logo.module.css';
import type { PlatformLogo as Logo } from './platform-preset.ts';

const signs: Record<Logo, Icon> = {
  youtube: IconBrandYoutube,
  twitch: IconBrandTwitch,
  facebook: IconBrandFacebook,
  channels: IconBrandWechat,
  bilibili: IconBrandBilibili,
  kuaishou: IconVideo,
  kick: IconBrandKick,
  x: IconBrandX,
  instagram: IconBrandInstagram,
  tiktok: IconBrandTiktok,
  linkedin: IconBrandLinkedin,
  vimeo: IconBrandVimeo,
  telegram: IconBrandTelegram,
  other: IconServer2,
};

export interface PlatformLogoProps {
  logo: Logo;
  size?: 'md' | 'sm';
}

export function PlatformLogo({ logo, size = 'md' }: PlatformLogoProps) {
  const Sign = signs[logo];
  return (
    <span className={classes.logo} data-logo={logo} data-size={size}>
      <Sign size={size === 'sm' ? 16 : 22} stroke={1.8} aria-hidden />
    </span>
  );
}
