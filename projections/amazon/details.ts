import type { TimelineEvent } from '../../engine/index.ts'
import type { DetailCode, EventCode } from './vocabulary.ts'

const undeliverable: readonly DetailCode[] = ['AddressNotFound', 'HazmatShipment', 'Undeliverable', 'Damaged']

/** What can be said in detail of an event that gives the status (Shipping API v2, DetailCodes). */
const detailsOfEvent: Partial<Readonly<Record<EventCode, readonly DetailCode[]>>> = {
  DeliveryAttempted: [
    'BusinessClosed',
    'CustomerUnavailable',
    'PaymentNotReady',
    'OtpNotAvailable',
    'DeliveryAttempted',
    'UnableToAccess',
    'UnableToContactRecipient',
  ],
  Delivered: [
    'DeliveredToBehindWheelieBin',
    'DeliveredToPorch',
    'DeliveredToGarage',
    'DeliveredToGarden',
    'DeliveredToGreenhouse',
    'DeliveredToMailSlot',
    'DeliveredToMailRoom',
    'DeliveredToNeighbor',
    'DeliveredToRearDoor',
    'DeliveredToReceptionist',
    'DeliveredToShed',
    'DeliveredWithOTP',
    'Signed',
  ],
  Rejected: [
    'Damaged',
    'IncorrectItems',
    'NotRequired',
    'Rejected',
    'RejectedByRecipientWithVerification',
    'CancelledByRecipient',
  ],
  Undeliverable: undeliverable,
  ReturnInitiated: undeliverable,
}

/** Words that producers use for the same reasons. */
const synonyms: Readonly<Record<string, DetailCode>> = {
  consigneeabsent: 'CustomerUnavailable',
  recipientabsent: 'CustomerUnavailable',
  customerabsent: 'CustomerUnavailable',
  consigneeclosed: 'BusinessClosed',
  paymentdue: 'PaymentNotReady',
  noaccess: 'UnableToAccess',
  refused: 'Rejected',
  addressincomplete: 'AddressNotFound',
  addressincorrect: 'AddressNotFound',
  hazardous: 'HazmatShipment',
}

/** The detail of an event: its reason, or for a delivery what its proof says, where Amazon has a code for it. */
export function detailOf(eventCode: EventCode, { incident_reason, pod }: TimelineEvent): DetailCode | undefined {
  const reason = matching(eventCode, incident_reason)
  if (eventCode !== 'Delivered' || reason !== undefined) return reason
  return (
    matching(eventCode, pod?.note) ?? (pod?.recipient || pod?.signature_url || pod?.signed_at ? 'Signed' : undefined)
  )
}

/** Whether an event of this kind can have a detail. */
export function hasDetails(eventCode: string): boolean {
  return Object.hasOwn(detailsOfEvent, eventCode)
}

/** A detail as a reason: `BusinessClosed` is `business_closed`. */
export function reasonOf(detail: string): string {
  return detail.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()
}

/** The code for a word of Amazon that the model does not have. */
export function unknownCode(word: string): string {
  return `x-amazon_${reasonOf(word)
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 40)}`
}

function matching(eventCode: EventCode, text: string | undefined): DetailCode | undefined {
  if (text === undefined || text.length > 60) return undefined
  const word = text.toLowerCase().replace(/[_ -]/g, '')
  const synonym = Object.hasOwn(synonyms, word) ? synonyms[word] : undefined
  return detailsOfEvent[eventCode]?.find((detail) => detail === synonym || detail.toLowerCase() === word)
}
