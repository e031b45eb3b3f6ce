/** What can happen to a package (Shipping API v2, EventCode). */
export const eventCodes = [
  'ReadyForReceive',
  'PickupDone',
  'Departed',
  'ArrivedAtCarrierFacility',
  'OutForDelivery',
  'DeliveryAttempted',
  'Delivered',
  'AvailableForPickup',
  'Rejected',
  'Undeliverable',
  'Lost',
  'PickupCancelled',
  'ReturnInitiated',
  'RecipientRequestedAlternateDeliveryTiming',
] as const

/** One of the fourteen. */
export type EventCode = (typeof eventCodes)[number]

/** What became of a package so far (Shipping API v2, Status). */
export const statuses = [
  'PreTransit',
  'InTransit',
  'Delivered',
  'Lost',
  'OutForDelivery',
  'Rejected',
  'Undeliverable',
  'DeliveryAttempted',
  'PickupCancelled',
  'AwaitingCustomerPickup',
] as const

/** One of the ten. */
export type Status = (typeof statuses)[number]

/** More on the status (Shipping API v2, DetailCodes). */
export const detailCodes = [
  'BusinessClosed',
  'CustomerUnavailable',
  'PaymentNotReady',
  'OtpNotAvailable',
  'DeliveryAttempted',
  'UnableToAccess',
  'UnableToContactRecipient',
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
  'Damaged',
  'IncorrectItems',
  'NotRequired',
  'Rejected',
  'RejectedByRecipientWithVerification',
  'CancelledByRecipient',
  'AddressNotFound',
  'HazmatShipment',
  'Undeliverable',
  'ArrivedAtLocalFacility',
] as const

/** One of the thirty. */
export type DetailCode = (typeof detailCodes)[number]

/** The way to the recipient, or back to the sender (Shipping API v2, ShipmentType). */
export const shipmentTypes = ['FORWARD', 'RETURNS'] as const

/** One of the two. */
export type ShipmentType = (typeof shipmentTypes)[number]
