/**
 * Unregistered codes and their meanings. Documents of other formats are read into them when the profile has no code for
 * something (OTEP, versioning, rule 5).
 */
export const unregisteredCodes = {
  'x-available_for_pickup': 'The parcel waits where the recipient can collect it.',
  'x-customs_started': 'Customs have begun to look at the parcel.',
  'x-customs_cleared': 'Customs have released the parcel.',
  'x-customs_held': 'Customs hold the parcel.',
  'x-delayed': 'The parcel is late.',
  'x-damaged': 'The parcel is damaged.',
  'x-lost': 'The parcel cannot be found.',
  'x-disposed': 'The parcel was disposed of.',
  'x-undeliverable': 'The parcel cannot be delivered.',
  'x-returning': 'The parcel is on its way back to the sender.',
  'x-exception': 'Something went wrong that is not told.',
  'x-expired': 'Nothing was heard of the parcel for a long time.',
} as const
