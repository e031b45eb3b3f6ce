import { textsOf } from '../../locales/texts.ts'

const trackingNumber = 'Tracking number'

/** The texts around every page for recipients, and of the pages with one message. */
export const siteTexts = textsOf('page.site', {
  /** What is between a day and a time. */
  between: ', ',
  /** A button that copies. */
  copying: { copy: 'Copy', copied: 'Copied' },
  skip: 'Skip to the content',
  language: 'Language',
  form: {
    label: trackingNumber,
    button: 'Track',
    search: 'Track by number',
  },
  missing: {
    title: 'This number is unknown',
    lead: 'Check it for typing errors. If the parcel is new, its first event may not have arrived yet.',
    requested: 'You searched for',
    tooLong: 'A number has at most 500 characters.',
  },
  several: {
    title: 'This number belongs to several parcels',
    lead: 'Choose the one that you are looking for:',
  },
  tooMany: {
    title: 'Too many requests',
    lead: 'Too much was requested from your address. Seconds until you can try again: {seconds}.',
  },
  unknownCaller: {
    title: 'Your sign-in is not valid',
    lead: 'The credentials of this request are wrong or have expired. This page can be read without any.',
  },
  failed: {
    title: 'This page is currently unavailable',
    lead: 'Nothing is wrong with your number. Try again in a moment.',
    request: 'Request id',
  },
  identifiers: {
    tracking_number: trackingNumber,
    external_tracking_number: 'External number',
    gs1_sscc: 'SSCC',
    piece_id: 'Piece',
    package_id: 'Package',
    order_id: 'Order',
  },
})
