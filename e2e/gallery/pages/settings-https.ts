// Certificates: the one in use, and three ways to another one.
import { data, type GalleryPage, refused } from '../gallery-page.ts';
import * as settings from '../samples/settings.ts';
import { asking, choose, fill, press, steps } from '../steps.ts';

const inUse = { queryCertificateStatus: data(settings.certificateState) };
const pastePair = steps(
  choose('settings-https:way.ssl'),
  fill('settings-https:upload.key.label', '-----BEGIN PRIVATE KEY-----\nMIIB…\n-----END PRIVATE KEY-----'),
  fill('settings-https:upload.crt.label', '-----BEGIN CERTIFICATE-----\nMIIC…\n-----END CERTIFICATE-----'),
  press('settings-https:upload.save'),
);

export const certificatePages: readonly GalleryPage[] = [
  {
    id: 'settings-https',
    path: 'routers-settings?tab=https',
    needs: ['queryCertificateStatus'],
    states: [
      {
        name: 'empty',
        answers: { queryCertificateStatus: data(settings.noCertificate) },
        shows: 'settings-https:none.title',
      },
      { name: 'filled', answers: inUse, shows: 'settings-https:fact.until' },
      {
        name: 'self-signed',
        answers: { queryCertificateStatus: data(settings.selfSigned) },
        shows: 'settings-https:days.left',
      },
      {
        ...asking(
          'make self-signed',
          'settings-https:self.confirm',
          choose('settings-https:way.self'),
          press('settings-https:self.make'),
        ),
        answers: inUse,
      },
      {
        name: 'another domain',
        answers: inUse,
        act: steps(fill('settings-https:lets.domain', 'www.example.org'), press('settings-https:lets.order')),
        shows: 'settings-https:lets.problem.differs',
      },
      {
        name: 'another port',
        origin: 'http://203.0.113.9:2022',
        answers: { queryCertificateStatus: data(settings.noCertificate) },
        act: press('settings-https:lets.order'),
        shows: 'settings-https:lets.problem.port',
      },
      {
        name: 'order refused',
        answers: { ...inUse, requestLetsEncrypt: refused('domainElsewhere') },
        act: press('settings-https:lets.order'),
        shows: 'settings-https:problem.domainElsewhere.what',
      },
      {
        name: 'order running',
        answers: { queryCertificateStatus: data(settings.orderRunning) },
        shows: 'settings-https:order.step.validating',
      },
      {
        name: 'order failed',
        answers: { queryCertificateStatus: data(settings.orderFailed) },
        shows: 'settings-https:problem.certificateOrderFailed.what',
      },
      {
        name: 'order done',
        answers: { queryCertificateStatus: data(settings.orderDone) },
        shows: 'settings-https:order.done',
      },
      {
        name: 'no key',
        answers: inUse,
        act: steps(choose('settings-https:way.ssl'), press('settings-https:upload.save')),
        shows: 'settings-https:upload.incomplete',
      },
      {
        name: 'key of another',
        answers: { ...inUse, updateCertificate: refused('certificateMismatch') },
        act: pastePair,
        shows: 'settings-https:problem.certificateMismatch.what',
      },
      {
        name: 'uploaded',
        answers: { ...inUse, updateCertificate: data(null) },
        act: pastePair,
        shows: 'settings-https:upload.saved',
      },
    ],
  },
];
