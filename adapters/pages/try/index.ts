import type { Hono, Context as Request } from 'hono'
import { type Context, EngineError, isEngineError, isRefusal, kinds, type Projection } from '../../../engine/index.ts'
import { translated } from '../../http/language.ts'
import { retryHeaders } from '../../http/retry.ts'
import { isRead } from '../../http/trial.ts'
import { messagesIn } from '../../locales/messages.ts'
import type { Gateway, OpenRequest } from '../../node/gateway.ts'
import { requesterOf } from '../../node/limited.ts'
import type { Answering } from '../answer.ts'
import type { Setting } from '../frame.ts'
import { failedPage, tooManyPage } from '../missing.ts'
import type { Html } from '../words.ts'
import { examplesOf, textOfExample } from './examples.ts'
import type { FormState } from './form.ts'
import { type DrawJourney, refusedPage, triedPage, tryPage } from './page.ts'
import { readSubmitted, type Submitted } from './received.ts'
import { type Trial, tryDocument } from './trial.ts'

/** What the page needs. */
interface TryPages {
  readonly gateway: Gateway
  readonly answering: Answering
  settingOf(request: Request): Setting
  readonly draw: DrawJourney
}

/** The largest form in bytes, unless the server accepts less of the public. */
const largestForm = 1024 * 1024

/** A longer document waits for its turn, as a call with a large body does; in characters. */
const longDocument = 128 * 1024

/** Adds `/try`: a document is read, checked and shown, and nothing of it is stored. */
export function addTry(app: Hono, pages: TryPages): void {
  app.get('/try', (request) => answered(request, pages, (opened) => answerForm(request, opened, pages)))
  app.post('/try', (request) => answered(request, pages, (opened) => answerTrial(request, opened, pages)))
}

/** A page and its status. */
interface Answer {
  readonly status: number
  readonly page: Html | Promise<Html>
}

async function answered(
  request: Request,
  pages: TryPages,
  answer: (opened: OpenRequest) => Promise<Answer>,
): Promise<Response> {
  const { gateway, answering } = pages
  const opened = gateway.open(request)
  const setting = pages.settingOf(request)
  const respond = async ({ status, page }: Answer, more: Readonly<Record<string, string>> = {}) => {
    const response = await answering.page(status, await page)
    const own = request.req.method === 'POST' ? { 'Cache-Control': 'no-store' } : {}
    for (const [name, value] of Object.entries({ ...translated({}, setting.texts.lang), ...own, ...more }))
      response.headers.set(name, value)
    return response
  }
  try {
    return await respond(await answer(opened))
  } catch (error) {
    if (isEngineError(error, 'too_many_requests')) {
      const page = tooManyPage(Number(error.params.seconds), setting)
      return respond({ status: 429, page }, retryHeaders(429, error))
    }
    const isBusy = isEngineError(error, 'too_busy')
    if (!isBusy) opened.report(error)
    return respond({ status: isBusy ? 503 : 500, page: failedPage(opened.context.requestId, setting) })
  }
}

/** The form, empty or with an example in it. */
async function answerForm(request: Request, opened: OpenRequest, pages: TryPages): Promise<Answer> {
  opened.take('public_reads')
  const setting = pages.settingOf(request)
  const context = spoken(opened, setting)
  const name = request.req.query('example')
  const example = examplesOf(context).find((one) => one.name === name)
  if (example === undefined) return { status: 200, page: tryPage(stateOf(pages), setting, '') }
  const submitted = { text: await textOfExample(example, context), format: example.form.format.name }
  return { status: 200, page: tryPage(stateOf(pages, submitted), setting, `example=${example.name}`) }
}

async function answerTrial(request: Request, opened: OpenRequest, pages: TryPages): Promise<Answer> {
  opened.take('validate')
  const setting = pages.settingOf(request)
  const context = spoken(opened, setting)
  let submitted: Submitted | undefined
  try {
    submitted = await readSubmitted(request.req.raw, limitOf(pages))
    const { text } = submitted
    const projection = formatIn(submitted, context)
    return await inTurn(pages, context, text, async () => {
      const trial = await tryDocument(context, text, projection)
      return { status: 200, page: await drawn(trial, submitted, setting, context, pages) }
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { status: statusOf(error), page: refusedPage(error, stateOf(pages, submitted), setting, context) }
  }
}

function drawn(trial: Trial, submitted: Submitted | undefined, setting: Setting, context: Context, pages: TryPages) {
  return triedPage(trial, stateOf(pages, submitted), setting, context, pages.draw)
}

/** The context with the messages in the language of the page. */
function spoken({ context }: OpenRequest, { texts: { lang } }: Setting): Context {
  return { ...context, messages: messagesIn(lang) }
}

function limitOf({ gateway }: TryPages): number {
  return Math.min(largestForm, gateway.publicBodyLimit)
}

function stateOf(pages: TryPages, { text, format }: Partial<Submitted> = {}): FormState {
  const { formats } = pages.gateway
  return {
    formats: formats.filter(isRead),
    examples: examplesOf({ formats }),
    text: text ?? '',
    format: format ?? formats[0].name,
    limit: limitOf(pages),
  }
}

function formatIn({ format }: Submitted, { formats }: Context): Projection {
  const read = formats.filter(isRead)
  const found = format === undefined ? formats[0] : read.find(({ name }) => name === format)
  if (found !== undefined) return found
  const expected = read.map(({ name }) => name).join(', ')
  throw new EngineError('format_not_read', { received: (format ?? '').slice(0, 60), expected })
}

async function inTurn<Result>(
  { gateway }: TryPages,
  context: Context,
  text: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (text.length <= longDocument) return work()
  const end = await gateway.largeCalls.turn(requesterOf(context))
  try {
    return await work()
  } finally {
    end()
  }
}

function statusOf({ code }: EngineError): number {
  const statuses: Readonly<Record<string, number>> = { too_large: 413, unsupported: 415, not_found: 404 }
  return statuses[kinds[code] ?? ''] ?? 400
}
