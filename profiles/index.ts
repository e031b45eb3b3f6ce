import { parcel } from './parcel.ts'
import { storage } from './storage.ts'

export { type ParcelCode, parcel } from './parcel.ts'
export { type StorageCode, storage } from './storage.ts'

/** THE LIST of profiles; the first is assumed where a document names none. */
export const profiles = [parcel, storage] as const

/** The codes of each profile, with their rows, by the profile's name. */
export type ProfileCodes = { readonly [Known in (typeof profiles)[number] as Known['name']]: Known['codes'] }
