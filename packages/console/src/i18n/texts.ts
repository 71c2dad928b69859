// Types of the text keys: one line per namespace. The Chinese files are the reference; a test compares the others.
import type errors from '../app/errors/locales/zh.json';
import type palette from '../app/palette/locales/zh.json';
import type cloudRecording from '../features/cloud-recording/locales/zh.json';
import type components from '../features/components/locales/zh.json';
import type contact from '../features/contact/locales/zh.json';
import type dashboard from '../features/dashboard/locales/zh.json';
import type forward from '../features/forward/locales/zh.json';
import type live from '../features/live/locales/zh.json';
import type login from '../features/login/locales/zh.json';
import type logout from '../features/logout/locales/zh.json';
import type record from '../features/record/locales/zh.json';
import type settingsApi from '../features/settings-api/locales/zh.json';
import type settingsAuth from '../features/settings-auth/locales/zh.json';
import type settingsBeian from '../features/settings-beian/locales/zh.json';
import type settingsCallback from '../features/settings-callback/locales/zh.json';
import type settingsHls from '../features/settings-hls/locales/zh.json';
import type settingsHttps from '../features/settings-https/locales/zh.json';
import type settingsLimit from '../features/settings-limit/locales/zh.json';
import type settingsPlatform from '../features/settings-platform/locales/zh.json';
import type settingsProxy from '../features/settings-proxy/locales/zh.json';
import type setup from '../features/setup/locales/zh.json';
import type srtGuide from '../features/srt-guide/locales/zh.json';
import type transcode from '../features/transcode/locales/zh.json';
import type tutorials from '../features/tutorials/locales/zh.json';
import type vlive from '../features/vlive/locales/zh.json';
import type mediaConsole from '../media-console/locales/zh.json';
import type scenario from '../routes/scenario/locales/zh.json';
import type settings from '../routes/settings/locales/zh.json';
import type common from '../shared/common/locales/zh.json';
import type pushTarget from '../shared/push-target/locales/zh.json';
import type recording from '../shared/recording/locales/zh.json';
import type settingsForm from '../shared/settings-form/locales/zh.json';
import type streamHealth from '../shared/stream-health/locales/zh.json';
import type streams from '../shared/streams/locales/zh.json';
import type worker from '../shared/worker/locales/zh.json';

/** By namespace: the name of the folder that holds `locales`. */
export interface Texts {
  'cloud-recording': typeof cloudRecording;
  common: typeof common;
  components: typeof components;
  contact: typeof contact;
  dashboard: typeof dashboard;
  errors: typeof errors;
  forward: typeof forward;
  live: typeof live;
  login: typeof login;
  logout: typeof logout;
  'media-console': typeof mediaConsole;
  palette: typeof palette;
  'push-target': typeof pushTarget;
  record: typeof record;
  recording: typeof recording;
  scenario: typeof scenario;
  settings: typeof settings;
  'settings-api': typeof settingsApi;
  'settings-auth': typeof settingsAuth;
  'settings-beian': typeof settingsBeian;
  'settings-callback': typeof settingsCallback;
  'settings-form': typeof settingsForm;
  'settings-limit': typeof settingsLimit;
  'settings-platform': typeof settingsPlatform;
  'settings-proxy': typeof settingsProxy;
  'settings-hls': typeof settingsHls;
  'settings-https': typeof settingsHttps;
  setup: typeof setup;
  'srt-guide': typeof srtGuide;
  'stream-health': typeof streamHealth;
  streams: typeof streams;
  transcode: typeof transcode;
  tutorials: typeof tutorials;
  vlive: typeof vlive;
  worker: typeof worker;
}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Texts;
    returnNull: false;
  }
}
