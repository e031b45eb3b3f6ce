import type { Setting } from '../frame.ts'
import type { Asset } from '../static.ts'
import type { SignedTexts } from './texts.ts'

/** Pages of one kind that somebody has to sign in for. */
export interface Area {
  /** Where its first page is. */
  readonly home: string
  /** How its `main` elements are called. */
  readonly name: string
  readonly style: Asset
  /** What the form of the sign-in says that it is for. */
  readonly lead: string
  /** The words of the link to the first page. */
  readonly back: string
  /** What the page is called that another site's link leads to first. */
  readonly arriving: string
  /** What follows the home, and a slash, in the address of a page that somebody may come back to; matched from the beginning. */
  readonly places: RegExp
  /** The largest form, in bytes. */
  readonly formLimit: number
}

/** What the pages of an area are made with. */
export interface SignedSetting extends Setting {
  readonly signed: SignedTexts
  readonly area: Area
}

/** The page of an area that a path below it belongs to, or is; nothing where that is the first one. */
export function placeIn({ places }: Area, path: string): string | undefined {
  return places.exec(path)?.[0]
}

/** The page that a form asks to be led to, if there can be one; never one of another area or server. */
export function askedPlace(area: Area, text: string | null): string | undefined {
  return text !== null && placeIn(area, text) === text ? text : undefined
}

/** The address of a page of an area, or of its first one. */
export function addressIn({ home }: Area, place: string | undefined): string {
  return place === undefined ? home : `${home}/${place}`
}
