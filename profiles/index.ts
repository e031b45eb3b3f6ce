import { type ParcelCode, parcel } from './parcel.ts'
import { type StorageCode, storage } from './storage.ts'

export { type ParcelCode, parcel } from './parcel.ts'
export { type StorageCode, storage } from './storage.ts'

/** THE LIST of profiles; the first is assumed where a document names none. */
export const profiles = [parcel, storage] as const

/** The codes of each profile by its name. */
export interface ProfileCodes {
  readonly parcel: ParcelCode
  readonly storage: StorageCode
}
