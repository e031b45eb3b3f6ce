import type { Hono, Context as Request } from 'hono'
import { html } from 'hono/html'
import {
  type AskedNews,
  anonymous,
  blindAddress,
  type Context,
  canHaveNews,
  confirmNews,
  endNews,
  findVisible,
  isMailAddress,
  type NewsRequest,
  newsRequestIn,
  subjectOfNews,
  subscriptionOf,
} from '../../../../engine/index.ts'
import { isForm, readForm } from '../../../http/form.ts'
import { translated } from '../../../http/language.ts'
import { languageNamed } from '../../../locales/negotiate.ts'
import { frame, type Look, languageField, type Setting } from '../../frame.ts'
import { type PageTexts, pageTexts } from '../../texts/index.ts'
import { shown } from '../../words.ts'
import { lookFor } from '../look.ts'
import { answer, answerRefusal, settingOf, type TrackPages, withHeaders } from '../lookup.ts'
import { confirmationOf } from './mails.ts'

/** Largest form with an address, in bytes. */
const formLimit = 2_048

/** Adds the pages of news by e-mail. What a GET shows changes nothing: programs that check links in e-mails follow them. */
export function addNews(app: Hono, pages: TrackPages): void {
  app.post('/track-notify/:number{[^]+}', (request) => answerAddress(request, request.req.param('number'), pages))
  app.get('/track-confirm/:token', (request) =>
    opened(request, pages, (context) => showRequest(context, request, pages)),
  )
  app.post('/track-confirm/:token', (request) => opened(request, pages, (context) => confirm(context, request, pages)))
  app.get('/track-stop/:token', (request) => opened(request, pages, (context) => showStop(context, request, pages)))
  app.post('/track-stop/:token', (request) => opened(request, pages, (context) => stop(context, request, pages)))
}

/** Sends a link to the address in a form. The answer does not say whether the address has asked before. */
function answerAddress(request: Request, number: string, pages: TrackPages): Promise<Response> {
  return answer(request, number, pages, async (asking) => {
    const form = isForm(request.req.raw.headers) ? await readForm(request.req.raw, formLimit) : undefined
    const setting = settingIn(request, pages, form?.get('lang'))
    const email = form?.get('email')?.trim() ?? ''
    const context: Context = { ...asking, caller: anonymous, pass: undefined }
    const { messenger, ports, source } = context
    const { stream: timeline } = await findVisible(context, number)
    const about = { number, look: await lookFor(context, { timeline, number }) }
    if (!isMailAddress(email)) return notice(pages, setting, 'wrong', about)
    pages.gateway.limits.take('news_of', timeline)
    if (!messenger.sendsMail || !canHaveNews(await ports.news.publicTimeline(context, timeline)))
      return notice(pages, setting, 'over', about)
    const asked: AskedNews = { timeline, number, language: setting.texts.lang, email }
    if (messenger.admit(blindAddress(context, email), source)) messenger.post(() => confirmationOf(context, asked))
    return notice(pages, setting, 'sent', about)
  })
}

function tokenOf({ req }: Request): string {
  return req.param('token') ?? ''
}

function showRequest(context: Context, request: Request, pages: TrackPages): Promise<Response> {
  return answerRequest(context, request, pages, () => 'confirm')
}

function confirm(context: Context, request: Request, pages: TrackPages): Promise<Response> {
  return answerRequest(context, request, pages, (asked) => confirmNews(context, asked))
}

/** Answers the link that confirms an address, in the language and under the brand of what it is about. */
async function answerRequest(
  context: Context,
  request: Request,
  pages: TrackPages,
  said: (asked: NewsRequest) => Said | Promise<Said>,
): Promise<Response> {
  const asked = newsRequestIn(context, tokenOf(request))
  if (asked === undefined) return notice(pages, settingIn(request, pages), 'invalid')
  const about = { number: asked.number, look: await lookFor(context, asked) }
  return notice(pages, settingIn(request, pages, asked.language), await said(asked), about)
}

function showStop(context: Context, request: Request, pages: TrackPages): Promise<Response> {
  return answerStop(context, request, pages, () => 'stop')
}

/** A mail program sends this request without a page (RFC 8058), so its body does not matter. */
function stop(context: Context, request: Request, pages: TrackPages): Promise<Response> {
  return answerStop(context, request, pages, async (id): Promise<Said> => {
    await endNews(context, id, 'unsubscribed')
    return 'stopped'
  })
}

/** Answers the link that ends a subscription, under the brand of what it was about. */
async function answerStop(
  context: Context,
  request: Request,
  pages: TrackPages,
  said: (id: number) => Said | Promise<Said>,
): Promise<Response> {
  const setting = settingIn(request, pages)
  const id = subscriptionOf(context, tokenOf(request))
  if (id === undefined) return notice(pages, setting, 'invalid')
  // Whatever becomes of the page, the e-mails have stopped.
  const words = await said(id)
  return notice(pages, setting, words, { look: await lookOfNews(context, id) })
}

/** The brand of what news are about; undefined if it cannot be read, which keeps nobody from the end of the e-mails. */
async function lookOfNews(context: Context, id: number): Promise<Look | undefined> {
  try {
    const subject = await subjectOfNews(context, id)
    return subject && (await lookFor(context, subject))
  } catch {
    return undefined
  }
}

/** Answers a link of an e-mail, no matter who has it. */
async function opened(
  request: Request,
  pages: TrackPages,
  answered: (context: Context) => Promise<Response>,
): Promise<Response> {
  const open = pages.gateway.open(request)
  try {
    open.take('public_calls')
    return await answered(open.context)
  } catch (error) {
    return answerRefusal(error, { request, number: '' }, open, pages)
  }
}

function settingIn(request: Request, { assets }: TrackPages, tag?: string | null): Setting {
  const lang = languageNamed(tag, 'page.news')
  return lang === undefined
    ? settingOf(request, assets)
    : { texts: pageTexts(lang), assets, chosen: lang, translations: 'page.news' }
}

/** What a page says. */
type Said = Exclude<keyof PageTexts['news'], 'form' | 'mail' | 'back'>

const statuses: Readonly<Partial<Record<Said, number>>> = { wrong: 422, over: 409, full: 409, invalid: 404 }

/** The number to whose page a page leads back, and the brand that it has. */
interface About {
  readonly number?: string
  readonly look?: Look | undefined
}

/** A page that says one thing, with a button where there is something to decide. */
async function notice(
  pages: TrackPages,
  setting: Setting,
  said: Said,
  { number, look }: About = {},
): Promise<Response> {
  const { news, lang } = setting.texts
  const words = news[said]
  const named = { number: shown(number ?? '') }
  const title = typeof words.title === 'string' ? words.title : words.title(named)
  const button =
    'button' in words &&
    html`<form class="decide" method="post">${languageField(setting)}<button type="submit">${words.button}</button></form>`
  const back =
    number !== undefined &&
    html`<p class="asked"><a href="/track/${encodeURIComponent(number)}?lang=${lang}">${news.back(named)}</a></p>`
  const main = html`<main id="content" tabindex="-1" class="message">
<div class="card"><h1>${title}</h1><p class="lead">${words.lead}</p>${button}${back}</div>
</main>`
  const content = frame({ title, main, search: false, look }, setting)
  const response = await pages.answering.page(statuses[said] ?? 200, content)
  const styles = look?.style ? [look.style.hash] : []
  return withHeaders(response, {
    ...translated({}, lang),
    ...pages.answering.allowing({ styles, ancestors: pages.frameAncestors }),
    'Cache-Control': 'no-store',
  })
}
