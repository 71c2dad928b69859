// Chat, social network and source code, one card each.
import { IconBrandDiscord, IconBrandGithub, IconBrandX, IconExternalLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { projectLinks } from '../../shared/project-links.ts';
import classes from './channel-list.module.css';

const channels = [
  { key: 'chat', href: projectLinks.chat, icon: IconBrandDiscord },
  { key: 'social', href: projectLinks.socialNetwork, icon: IconBrandX },
  { key: 'source', href: projectLinks.repository, icon: IconBrandGithub },
] as const;

export function ChannelList() {
  const { t } = useTranslation('contact');
  return (
    <ul className={classes.list}>
      {channels.map(({ key, href, icon: Icon }) => (
        <li key={key}>
          <a href={href} target="_blank" rel="noreferrer" className={classes.channel}>
            <Icon size={28} stroke={1.5} aria-hidden />
            <span className={classes.name}>
              {t(`channel.${key}.name`)} <IconExternalLink size={15} aria-hidden />
            </span>
            <span className={classes.text}>{t(`channel.${key}.text`)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
