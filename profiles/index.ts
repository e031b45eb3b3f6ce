import type { Profile } from '../engine/index.ts'
import { food } from './food.ts'
import { moving } from './moving.ts'
import { parcel } from './parcel.ts'
import { storage } from './storage.ts'

export { type ParcelCode, parcel } from './parcel.ts'
export { type StorageCode, storage } from './storage.ts'
export { unregisteredCodes } from './unregistered.ts'

/** THE LIST of profiles; the first is assumed where a document names none, and its codes are the universal ones. */
const list = [parcel, storage, moving, food] as const

/** The built-in profiles. */
export const profiles: readonly [Profile, ...Profile[]] = list

/** The codes of each built-in profile, with their rows, by the profile's name. */
export type ProfileCodes = { readonly [Known in (typeof list)[number] as Known['name']]: Known['codes'] }
