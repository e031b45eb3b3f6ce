import type { Context as Request } from 'hono'
import { brandFor, type Context, EngineError, findVisible, readLogo } from '../../../engine/index.ts'
import { matches } from '../../http/headers.ts'
import { tagOf } from '../answer.ts'
import { codePicture } from '../code-picture.ts'
import { logoVersion } from './look.ts'
import { answer, type TrackPages, withHeaders } from './lookup.ts'
import type { Shared } from './share.ts'

/** Answers the logo under which a number is shown. */
export function answerLogo(request: Request, number: string, pages: TrackPages): Promise<Response> {
  return answer(request, number, pages, async (context) => {
    const brand = await brandFor(context, (await findVisible(context, number)).stream)
    const image = brand?.logo && (await readLogo(context, brand.logo))
    if (brand === undefined || image === undefined) throw new EngineError('timeline_not_found')
    const isCurrent = request.req.query('v') === logoVersion(brand)
    const caching = isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache'
    return pages.answering.image(image, { 'Cache-Control': caching, ETag: tagOf(logoVersion(brand)) })
  })
}

/** Answers the QR code of the page of a number. */
export function answerCode(request: Request, number: string, pages: TrackPages): Promise<Response> {
  return answer(request, number, pages, async (context) => {
    await findVisible(context, number)
    const { url } = sharedOf(context, number)
    const tag = tagOf('qr', url)
    if (matches(request.req.header('if-none-match'), tag)) return pages.answering.notModified(tag)
    const code = await context.printer.qrOf?.(url)
    if (code === undefined) throw new EngineError('timeline_not_found')
    const picture = await pages.answering.picture(200, codePicture(code), tag)
    return withHeaders(picture, { 'Cache-Control': 'public, max-age=86400' })
  })
}

/** What the reader of a page passes on. */
export function sharedOf({ baseUrl, printer }: Context, number: string): Shared {
  const name = encodeURIComponent(number)
  return {
    url: `${baseUrl}/track/${name}`,
    code: printer.qrOf && `/track-qr/${name}`,
    calendar: `/track-calendar/${name}`,
  }
}
