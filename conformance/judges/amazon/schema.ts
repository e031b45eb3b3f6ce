const text = { type: 'string' }
const dateTime = { type: 'string', format: 'date-time' }

/** The words of each enum of the official model, separated by spaces. The nightly tests compare them with the official SDK. */
export const enums = {
  EventCode:
    'ReadyForReceive PickupDone Departed ArrivedAtCarrierFacility OutForDelivery DeliveryAttempted Delivered ' +
    'AvailableForPickup Rejected Undeliverable Lost PickupCancelled ReturnInitiated ' +
    'RecipientRequestedAlternateDeliveryTiming',
  ShipmentType: 'FORWARD RETURNS',
  Status:
    'PreTransit InTransit Delivered Lost OutForDelivery Rejected Undeliverable DeliveryAttempted PickupCancelled ' +
    'AwaitingCustomerPickup',
  DetailCodes:
    'BusinessClosed CustomerUnavailable PaymentNotReady OtpNotAvailable DeliveryAttempted UnableToAccess ' +
    'UnableToContactRecipient DeliveredToBehindWheelieBin DeliveredToPorch DeliveredToGarage DeliveredToGarden ' +
    'DeliveredToGreenhouse DeliveredToMailSlot DeliveredToMailRoom DeliveredToNeighbor DeliveredToRearDoor ' +
    'DeliveredToReceptionist DeliveredToShed DeliveredWithOTP Signed Damaged IncorrectItems NotRequired Rejected ' +
    'RejectedByRecipientWithVerification CancelledByRecipient AddressNotFound HazmatShipment Undeliverable ' +
    'ArrivedAtLocalFacility',
} as const

function oneOf(words: string): object {
  return { enum: words.split(' ') }
}

function object(properties: Readonly<Record<string, object>>, ...required: readonly string[]): object {
  return { type: 'object', additionalProperties: false, properties, required }
}

const detailCodes = { type: 'array', items: oneOf(enums.DetailCodes) }

const location = object({
  stateOrRegion: text,
  city: text,
  countryCode: { type: 'string', pattern: '^[A-Z]{2}$' },
  postalCode: text,
})

const event = object(
  {
    eventCode: oneOf(enums.EventCode),
    location,
    eventTime: dateTime,
    shipmentType: oneOf(enums.ShipmentType),
  },
  'eventCode',
  'eventTime',
)

const summary = object({
  status: oneOf(enums.Status),
  trackingDetailCodes: object({ forward: detailCodes, returns: detailCodes }, 'forward', 'returns'),
})

/**
 * The response of getTracking according to the reference of Shipping API v2. It is stricter than the official model,
 * which allows any additional member.
 */
export const trackingSchema = object(
  {
    payload: object(
      {
        trackingId: text,
        alternateLegTrackingId: text,
        eventHistory: { type: 'array', items: event },
        promisedDeliveryDate: dateTime,
        summary,
      },
      'trackingId',
      'alternateLegTrackingId',
      'eventHistory',
      'promisedDeliveryDate',
      'summary',
    ),
  },
  'payload',
)
