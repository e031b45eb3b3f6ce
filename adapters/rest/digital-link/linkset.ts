import type { Context } from '../../../engine/index.ts'
import { mediaTypeOf, representationsOf } from '../../../engine/index.ts'
import { segment } from '../../../projections/shared/subject.ts'

/** The namespace of GS1's link types. */
export const vocabulary = 'https://ref.gs1.org/voc/'

/** The link types that are offered (GS1 Web Vocabulary). */
export const linkTypes = ['gs1:defaultLink', 'gs1:traceability', 'gs1:epcis'] as const

/** The name of an offered link type. */
type LinkType = (typeof linkTypes)[number]

/** A link of a linkset (RFC 9264, section 4.2). */
export interface TargetLink {
  readonly href: string
  readonly title: string
  readonly type?: string
}

/** The media type of a linkset in JSON. */
export const linksetType = 'application/linkset+json'

/** The links of a thing by their types; a default link has no media type. */
export function linksOf(
  { baseUrl, formats }: Pick<Context, 'baseUrl' | 'formats'>,
  link: string,
): Readonly<Record<LinkType, readonly TargetLink[]>> {
  const name = nameOf(link)
  const page = { href: `${baseUrl}/track/${segment(name)}`, title: 'Tracking page' }
  const document = { href: `${baseUrl}/api/v1/otep/trackings/${segment(name)}`, title: 'Timeline' }
  const types = formats.flatMap((format) =>
    representationsOf(format).map((one) => baseTypeOf(mediaTypeOf(format, one))),
  )
  return {
    'gs1:defaultLink': [page],
    'gs1:traceability': [
      { ...page, type: 'text/html' },
      ...[...new Set(['application/json', ...types])].map((type) => ({ ...document, type })),
    ],
    'gs1:epcis': [
      {
        href: `${baseUrl}/epcis/epcs/${encodeURIComponent(link)}/events`,
        title: 'EPCIS events',
        type: 'application/json',
      },
    ],
  }
}

/** The linkset of a thing, for the address under which it was requested. */
export function linksetOf(anchor: string, links: ReturnType<typeof linksOf>): object {
  const members = linkTypes.map((type) => [type.replace(/^gs1:/, vocabulary), links[type]])
  return { linkset: [{ anchor, ...Object.fromEntries(members) }] }
}

/** The link type of a parameter, which may be a CURIE or an IRI of the vocabulary; undefined if it is not offered. */
export function linkTypeOf(parameter: string): LinkType | undefined {
  const curie = parameter.replace(/^https:\/\/(?:(?:ref|www)\.)?gs1\.org\/voc\//, 'gs1:')
  return linkTypes.find((type) => type === curie)
}

/** An SSCC is shown as its digits, and any other key as its link. */
function nameOf(link: string): string {
  return /\/00\/(\d{18})$/.exec(link)?.[1] ?? link
}

function baseTypeOf(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim()
}
