import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { maxCharacters } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import { findStream } from './find.ts'
import { identifiersOf, publicKinds, publicSubject } from './identifiers.ts'
import { linkTo } from './link.ts'
import type { LoadedTimeline } from './read.ts'
import { readOwn } from './visible.ts'

const hour = 3_600_000

/** How long a link opens a timeline if nobody says, and at most; in hours. */
export const linkHours = { default: 7 * 24, most: 365 * 24 }

/** A signed link to all of a timeline. */
interface TrackingLink {
  /** The address of the page. */
  readonly url: string
  /** The `link` of its query, which opens every other read of the timeline, too. */
  readonly link: string
  readonly expires_at: string
}

/** Makes a signed link to a timeline that the caller may see; throws `timeline_not_found` for any other. */
export async function createLink(context: Context, value: string, hours = linkHours.default): Promise<TrackingLink> {
  const read = await readOwn(context, value)
  const expiresAt = context.clock() + hours * hour
  const link = linkTo(context, read.stream, expiresAt)
  const path = encodeURIComponent(await shortName(context, read))
  return { url: `${context.baseUrl}/track/${path}?link=${link}`, link, expires_at: isoOf(expiresAt) }
}

/** An identifier that leads to the timeline, or its unique name if there is none that is public. */
async function shortName(context: Context, { stream, name, timeline }: LoadedTimeline): Promise<string> {
  const [shown] = identifiersOf(publicSubject(timeline.subject))
  const isUnique = shown !== undefined && (await findStream(context, shown.value, publicKinds)) === stream
  return isUnique ? shown.value : name
}

/** Makes a signed link that shows all of a timeline to everybody who has it, until it expires. */
export const otepTrackingLink = operation({
  name: 'otep_tracking_link',
  summary: 'A signed link that shows all of a timeline to everybody who has it, until it expires.',
  scopes: ['orders:read'],
  roles: ['client_admin', 'client_employee', 'customer'],
  risk: 'low',
  tag: 'OTEP',
  secret: true,
  ids: { tracking_number: 'rule' },
  input: v.strictObject({
    tracking_number: v.pipe(
      v.string(),
      v.minLength(1),
      maxCharacters(500),
      v.description('Tracking number, or any other identifier, of an order that you may see.'),
    ),
    hours: v.exactOptional(
      v.pipe(
        v.number(),
        v.safeInteger(),
        v.minValue(1),
        v.maxValue(linkHours.most),
        v.description('How long it opens the timeline. Default: 168, a week.'),
      ),
    ),
  }),
  output: v.strictObject({
    result: v.literal(true),
    url: v.pipe(v.string(), v.description('The address of the page.')),
    link: v.pipe(v.string(), v.description('The value of `link` in the query of any public read of this timeline.')),
    expires_at: v.string(),
  }),
  errors: ['timeline_not_found', 'ambiguous_identifier'],
  rest: { method: 'POST', path: '/api/v1/otep/trackings/{tracking_number}/link' },
  handle: async (context, { tracking_number, hours }) => ({
    result: true,
    ...(await createLink(context, tracking_number, hours)),
  }),
})
