import type { Profile } from '../../engine/index.ts'

/** All fixed texts of the public pages in English; another language is another object of this shape. */
export const en = {
  lang: 'en',
  brand: 'OTEP tracking',
  skip: 'Skip to the content',
  home: {
    title: 'Track anything that moves',
    lead: 'This server keeps tracking timelines: push events as they happen, and read where things are.',
    start: 'Push your first event',
    steps: {
      key: 'Make a key for a provider',
      keyHint: 'Run this command on the server, where otep is installed. The key is shown only once.',
      push: 'Push one event',
      pushHint:
        'The time is when the event occurred, with its UTC offset. Sending the same event again changes nothing.',
      read: 'Read it back',
      readHint: 'As a document, or as a page that people can read:',
    },
    copy: 'Copy',
    copied: 'Copied',
    reference: 'Reference',
    links: {
      '/openapi.json': 'OpenAPI description',
      '/api/otep-guide/codebook.json': 'Codebook: every status code and phase',
      '/api/otep-guide/schema.json': 'JSON Schema of a timeline',
      '/ns/otep': 'Members of OTEP in EPCIS documents',
    },
  },
  form: { label: 'Tracking number', button: 'Track', search: 'Track by number' },
  namespace: {
    title: 'Members of OTEP in EPCIS documents',
    lead: 'EPCIS has no members for these. This server reads them under both namespaces. It writes the first one, and the second one for events that it recorded before:',
    mark: 'In the first namespace, every text of an event begins with a mark, so that no program takes it for a number or a word of CBV and computes another event hash id:',
    types: {
      string: 'Text',
      number: 'Number',
      boolean: 'True or false',
      object: 'Has members',
      'date-time': 'Time (RFC 3339)',
      uri: 'URI',
    },
    list: 'List:',
    part: 'In',
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
    lead: (seconds: number) =>
      `Too much was requested from your address. Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`,
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
    tracking_number: 'Tracking number',
    external_tracking_number: 'External number',
    gs1_sscc: 'SSCC',
    piece_id: 'Piece',
    package_id: 'Package',
    order_id: 'Order',
  },
  identifiersTitle: 'Identifiers',
  opener: {
    title: 'More details',
    lead: 'Fill in the postal code of the delivery to see the recipient, the exact place and the proof.',
    label: 'Postal code',
    button: 'Show',
    refused: {
      wrong_postal_code: 'This is not the postal code of the delivery.',
      invalid_link: 'The link has expired, or it belongs to another number.',
      too_many_requests: 'Too many wrong postal codes. Try again later.',
    },
  },
  noStatus: 'No status',
  noStatusMeaning: 'Every report about this number has been withdrawn.',
  estimate: 'Estimated delivery',
  progress: 'Progress',
  phases: {
    pre_shipment: 'Announced',
    pickup: 'Pick-up',
    inbound: 'At facility',
    transit: 'In transit',
    out_for_delivery: 'Out for delivery',
    delivered: 'Delivered',
    exception: 'Exception',
    return: 'Return',
  },
  steps: { done: 'done', current: 'now', stopped: 'last step reached', upcoming: 'to come', unreached: 'not reached' },
  notices: {
    held: 'Off the planned route. It may continue from the last step reached.',
    returning: 'It is no longer on its way to the recipient.',
    ended: 'The journey has ended here. No further step is expected.',
    unregistered: 'This status is not in the codebook. The provider wrote:',
    empty: 'All events have been withdrawn. They are listed below.',
  },
  events: 'Events',
  newestFirst: 'Newest first. Times are local to the place of the event.',
  noEvents: 'There are no events.',
  earlier: (count: number) => `Show ${count} earlier ${count === 1 ? 'event' : 'events'}`,
  notShown: (count: number) =>
    `${count} more ${count === 1 ? 'event is' : 'events are'} not shown here. The API has them:`,
  withdrawn: (count: number) => `${count} withdrawn ${count === 1 ? 'event' : 'events'}`,
  withdrawnHint: 'The provider reported these events and later withdrew them.',
  marks: {
    inherited: 'In its container',
    synthesized: 'Synthesized',
    uncounted: 'Not counted',
    unregistered: 'Unregistered',
    withdrawn: 'Withdrawn',
  },
  synthesizedHint: 'The provider reported only the new status; this event was derived from it.',
  container: 'Container',
  uncountedHint: 'Reported after the journey had ended; it does not change the status.',
  place: 'Place',
  reason: 'Reason',
  source: 'Source',
  code: 'code',
  declared: 'Withdrawn at',
  sources: {
    self_delivery: 'Own delivery',
    third_party_delivery: 'Third-party delivery',
    carrier_tracking: 'Carrier tracking',
    proof_of_delivery: 'Proof of delivery',
    exception: 'Exception report',
    node_scan: 'Facility scan',
    driver_trajectory: 'Driver position',
  },
  proof: { delivered: 'Proof of delivery', other: 'Proof' },
  recipient: 'Recipient',
  signedAt: 'Signed at',
  note: 'Note',
  signature: 'Signature',
  photo: (index: number) => `Photo ${index}`,
  live: {
    on: 'Live: this page updates by itself',
    waiting: 'Connection lost, trying again',
    off: 'Not live: reload to update',
  },
}

/** The fixed texts of the pages in one language. */
export type PageTexts = typeof en

/** The texts of a page about a timeline of this profile: those of the profile take precedence. */
export function textsFor(texts: PageTexts, { words = {} }: Profile): PageTexts {
  return {
    ...texts,
    phases: { ...texts.phases, ...words.phases },
    notices: { ...texts.notices, ...words.notices },
    proof: { ...texts.proof, ...words.proof },
  }
}

/** The text for a name of an open list; undefined if the table has none. */
export function wordFor(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
