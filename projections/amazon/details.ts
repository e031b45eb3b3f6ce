import type { TimelineEvent } from '../../engine/index.ts'
import type { DetailCode, EventCode } from './vocabulary.ts'

const undeliverable: readonly DetailCode[] = ['AddressNotFound', 'HazmatShipment', 'Undeliverable', 'Damaged']

/** The detail codes that each status may have (Shipping API v2, DetailCodes). */
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

/** Synonyms that producers use for these reasons. */
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

/**
 * The detail of an event, if Amazon has a code for it: its reason, or for a delivery how the proof says it was made.
 */
export function detailOf(eventCode: EventCode, { incident_reason, pod }: TimelineEvent): DetailCode | undefined {
  const reason = matching(eventCode, incident_reason)
  if (eventCode !== 'Delivered' || reason !== undefined) return reason
  return (
    matching(eventCode, pod?.note) ?? (pod?.recipient || pod?.signature_url || pod?.signed_at ? 'Signed' : undefined)
  )
}

/** Whether an event with this status can have a detail. */
export function hasDetails(eventCode: string): boolean {
  return Object.hasOwn(detailsOfEvent, eventCode)
}

/** A detail as a reason: `BusinessClosed` becomes `business_closed`. */
export function reasonOf(detail: string): string {
  return detail.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()
}

/** The experimental code for a term of Amazon that the model does not have. */
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
