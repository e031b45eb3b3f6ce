import type { Context as Request } from 'hono'
import { findVisible, inSteps, otepTracking, plannedFor, profileNamed, readVisible } from '../../../engine/index.ts'
import { calendarOf, textOfCalendar } from '../../../projections/ics/index.ts'
import { anyOrigin } from '../../http/cross-origin.ts'
import { matches } from '../../http/headers.ts'
import { translated } from '../../http/language.ts'
import { longRead } from '../../node/long-read.ts'
import { tagOf } from '../answer.ts'
import { answer, settingOf, type TrackPages, withHeaders } from './lookup.ts'
import { progressOf } from './progress.ts'
import { statusText } from './status.ts'

/** Answers the calendar of a number: when it is expected, as its page says it. */
export function answerCalendar(request: Request, number: string, pages: TrackPages): Promise<Response> {
  return answer(request, number, pages, async (context) => {
    const { answering, gateway, edition } = pages
    const language = settingOf(request, pages.assets).texts.lang
    const planned = await plannedFor(context, (await findVisible(context, number)).stream)
    const version = (await otepTracking.version?.(context, { tracking_number: number })(context))?.text ?? ''
    const tag = tagOf(edition, 'calendar', version, JSON.stringify(planned ?? ''), language)
    const headers = { ...translated({}, language), ...anyOrigin, ETag: tag }
    if (matches(request.req.header('if-none-match'), tag)) return withHeaders(answering.notModified(tag), headers)
    const read = longRead(gateway.longReads, context)
    try {
      const { timeline, name } = await readVisible(read.context, number)
      const profile = profileNamed(gateway.profiles, timeline.profile)
      const { expected, current } = await inSteps(progressOf(timeline, profile, planned), context.pause)
      const status = current && statusText(current.status_code, profile, language)
      const target = { baseUrl: context.baseUrl, timeline: name, options: {}, profiles: context.profiles }
      const calendar = calendarOf(() => ({ expected, status })).project(timeline, target)
      const bytes = new TextEncoder().encode(textOfCalendar(calendar))
      return withHeaders(answering.file({ type: 'text/calendar; charset=utf-8', bytes }), headers)
    } finally {
      read.end()
    }
  })
}
