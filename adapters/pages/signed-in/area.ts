import type { Setting } from '../frame.ts'
import type { Asset } from '../static.ts'
import type { SignedTexts } from '../texts/signed-in.ts'

/** A group of pages that require signing in. */
interface Area {
  /** The path of its first page. */
  readonly home: string
  /** The class of its `main` elements. */
  readonly name: string
  readonly style: Asset
  /** What the sign-in form says it is for. */
  readonly lead: string
  /** The text of the link to the first page. */
  readonly back: string
  /** The title of the page that a visitor from another site sees first. */
  readonly arriving: string
  /**
   * Matches the paths, below the home and without a leading slash, to which a visitor may return; anchored at the
   * start.
   */
  readonly places: RegExp
  /** Whether forms may have files. */
  readonly takesFiles?: boolean
  /** The largest form, in bytes. */
  readonly formLimit: number
}

/** What the pages of an area need. */
export interface SignedSetting extends Setting {
  readonly signed: SignedTexts
  readonly area: Area
}

/** The page of an area that a path belongs to, relative to its home; undefined for the first page. */
export function placeIn({ places }: Area, path: string): string | undefined {
  return places.exec(path)?.[0]
}

/** The page to which a form asks to return, if there is one; never a page of another area or server. */
export function requestedPlace(area: Area, text: string | null): string | undefined {
  return text !== null && placeIn(area, text) === text ? text : undefined
}

/** A path with the language that the reader has chosen, if any. */
export function withLanguage(path: string, { chosen }: Pick<Setting, 'chosen'>): string {
  return chosen === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}lang=${chosen}`
}

/** The address of a page of an area, or of its first page. */
export function addressIn({ home }: Area, place: string | undefined): string {
  return place === undefined ? home : `${home}/${place}`
}
