/** The event codes (Shipping API v2, EventCode). */
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

/** One of the fourteen event codes. */
export type EventCode = (typeof eventCodes)[number]

/** The statuses of a package (Shipping API v2, Status). */
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

/** One of the ten statuses. */
export type Status = (typeof statuses)[number]

/** The details of a status (Shipping API v2, DetailCodes). */
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

/** One of the thirty details. */
export type DetailCode = (typeof detailCodes)[number]

/** The way to the recipient, or back to the sender (Shipping API v2, ShipmentType). */
export const shipmentTypes = ['FORWARD', 'RETURNS'] as const

/** One of the two types. */
export type ShipmentType = (typeof shipmentTypes)[number]
