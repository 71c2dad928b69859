import { data, type GalleryPage, refused } from '../gallery-page.ts';
import * as settings from '../samples/settings.ts';
import { asking, choose, fill, press, steps } from '../steps.ts';

const inUse = { queryCertificateStatus: data(settings.certificateState) };
const pastePair = steps(
  choose('certificates:way.ssl'),
  fill('certificates:upload.key.label', '-----BEGIN PRIVATE KEY-----\nMIIB…\n-----END PRIVATE KEY-----'),
  fill('certificates:upload.crt.label', '-----BEGIN CERTIFICATE-----\nMIIC…\n-----END CERTIFICATE-----'),
  press('certificates:upload.save'),
);

export const certificatePages: readonly GalleryPage[] = [
  {
    id: 'certificates',
    path: 'routers-settings?tab=https',
    needs: ['queryCertificateStatus'],
    states: [
      {
        name: 'empty',
        answers: { queryCertificateStatus: data(settings.noCertificate) },
        shows: 'certificates:none.title',
      },
      { name: 'filled', answers: inUse, shows: 'certificates:fact.until' },
      {
        name: 'self-signed',
        answers: { queryCertificateStatus: data(settings.selfSigned) },
        shows: 'certificates:days.left',
      },
      {
        ...asking(
          'make self-signed',
          'certificates:self.confirm',
          choose('certificates:way.self'),
          press('certificates:self.make'),
        ),
        answers: inUse,
      },
      {
        name: 'another domain',
        answers: inUse,
        act: steps(fill('certificates:lets.domain', 'www.example.org'), press('certificates:lets.order')),
        shows: 'certificates:lets.problem.differs',
      },
      {
        name: 'another port',
        origin: 'http://203.0.113.9:2022',
        answers: { queryCertificateStatus: data(settings.noCertificate) },
        act: press('certificates:lets.order'),
        shows: 'certificates:lets.problem.port',
      },
      {
        name: 'order refused',
        answers: { ...inUse, requestLetsEncrypt: refused('domainElsewhere') },
        act: press('certificates:lets.order'),
        shows: 'certificates:problem.domainElsewhere.what',
      },
      {
        name: 'order running',
        answers: { queryCertificateStatus: data(settings.orderRunning) },
        shows: 'certificates:order.step.validating',
      },
      {
        name: 'order failed',
        answers: { queryCertificateStatus: data(settings.orderFailed) },
        shows: 'certificates:problem.certificateOrderFailed.what',
      },
      {
        name: 'order done',
        answers: { queryCertificateStatus: data(settings.orderDone) },
        shows: 'certificates:order.done',
      },
      {
        name: 'no key',
        answers: inUse,
        act: steps(choose('certificates:way.ssl'), press('certificates:upload.save')),
        shows: 'certificates:upload.incomplete',
      },
      {
        name: 'key of another',
        answers: { ...inUse, updateCertificate: refused('certificateMismatch') },
        act: pastePair,
        shows: 'certificates:problem.certificateMismatch.what',
      },
      {
        name: 'uploaded',
        answers: { ...inUse, updateCertificate: data(null) },
        act: pastePair,
        shows: 'certificates:upload.saved',
      },
    ],
  },
];
