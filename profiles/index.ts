import { type ParcelCode, parcel } from './parcel.ts'

export { type ParcelCode, parcel } from './parcel.ts'

/** THE LIST of profiles; the first is assumed where a document names none. */
export const profiles = [parcel] as const

/** The codes of each profile by its name. */
export interface ProfileCodes {
  readonly parcel: ParcelCode
}
