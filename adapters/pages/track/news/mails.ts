import { html } from 'hono/html'
import {
  type AskedNews,
  atOnce,
  brandFor,
  type Context,
  type Message,
  type News,
  plannedFor,
  sealNewsRequest,
  stopToken,
  unlinked,
} from '../../../../engine/index.ts'
import type { MailMessage } from '../../../node/mail.ts'
import { pageTexts, textsFor } from '../../texts/index.ts'
import { shown } from '../../words.ts'
import { asReported, progressOf } from '../progress.ts'
import { statusText } from '../status.ts'
import { type Answers, plainAnswers } from '../summary.ts'

/** The e-mail that asks whether an address is to get news. Its link is the only place where the request is. */
export async function confirmationOf(context: Context, asked: AskedNews): Promise<Message> {
  const { mail } = pageTexts(asked.language).news
  const number = shown(asked.number)
  const brand = await brandNameFor(context, asked.timeline)
  return {
    to: asked.email,
    subject: subjectOf(mail.subject({ number }), brand),
    text: [
      ...(brand === undefined ? [] : [brand, '']),
      mail.asked({ number }),
      '',
      `${context.baseUrl}/track-confirm/${sealNewsRequest(context, asked)}`,
      '',
      mail.ignore,
    ],
  }
}

/** The e-mail with news for one person: what the page of the number says, in the language of the page. */
export async function newsMailOf(context: Context, news: News): Promise<MailMessage> {
  const { subscription, found, id, to, of, messageId } = news
  const { number, language, timeline } = subscription
  const { profile } = found
  const texts = textsFor(pageTexts(language), profile)
  const reader = { language, now: context.clock() }
  const planned = await plannedFor(context, timeline)
  const progress = asReported(atOnce(progressOf(found.timeline, profile, planned)))
  const answers = plainAnswers(progress, { texts, profile, reader })
  const title =
    of === 'status' && found.current ? statusText(found.current.status_code, profile, language) : answers.title
  const letter = {
    ...{ language, title, number: shown(number), rows: unlinkedRows(answers.rows) },
    brand: await brandNameFor(context, timeline),
    page: `${context.baseUrl}/track/${encodeURIComponent(number)}?lang=${language}`,
    stop: `${context.baseUrl}/track-stop/${stopToken(context, id)}?lang=${language}`,
  }
  return {
    ...{ id: messageId, to: [to], unsubscribe: letter.stop },
    subject: subjectOf(`${title}: ${letter.number}`, letter.brand),
    text: textOf(letter),
    html: String(await htmlOf(letter)),
  }
}

/** The name of a brand may be older than the rule for names in e-mails. */
async function brandNameFor(context: Context, timeline: News['subscription']['timeline']): Promise<string | undefined> {
  const brand = await brandFor(context, timeline)
  return brand && unlinked(brand.name)
}

/** Those who push events name the places in them. */
function unlinkedRows(rows: Answers['rows']): Answers['rows'] {
  return rows.map(([label, answer]) => [label, unlinked(answer)])
}

interface Letter {
  readonly language: string
  readonly title: string
  readonly number: string
  readonly rows: Answers['rows']
  readonly brand: string | undefined
  readonly page: string
  readonly stop: string
}

function subjectOf(text: string, brand: string | undefined): string {
  return brand === undefined ? text : `${text} – ${brand}`
}

function textOf({ language, title, number, rows, brand, page, stop }: Letter): readonly string[] {
  const { mail } = pageTexts(language).news
  return [
    ...(brand === undefined ? [] : [brand]),
    ...[number, title, ''],
    ...rows.map(([label, answer]) => `${label}: ${answer}`),
    ...['', `${mail.open}:`, page],
    ...['', mail.why, stop],
  ]
}

const styles = {
  body: 'font-family:system-ui,sans-serif;line-height:1.5;max-width:36rem;margin:0 auto;padding:1rem',
  title: 'font-size:1.4rem;margin:.25rem 0 1rem',
  label: 'padding-inline-end:1rem;text-align:start;vertical-align:top;font-weight:normal;opacity:.75',
}

/** It loads nothing, so nobody learns when it is read. */
function htmlOf({ language, title, number, rows, brand, page, stop }: Letter) {
  const { lang, dir, news } = pageTexts(language)
  const { mail } = news
  return html`<!doctype html>
<html lang="${lang}" dir="${dir}"><head><meta charset="utf-8"><title>${title}</title></head>
<body style="${styles.body}">
${brand && html`<p><strong><bdi>${brand}</bdi></strong></p>`}
<p style="margin:0"><bdi>${number}</bdi></p>
<h1 style="${styles.title}">${title}</h1>
<table role="presentation">${rows.map(([label, answer]) => html`<tr><th scope="row" style="${styles.label}">${label}</th><td><bdi>${answer}</bdi></td></tr>`)}</table>
<p><a href="${page}">${mail.open}</a></p>
<p><small>${mail.why} <a href="${stop}">${news.stop.button}</a></small></p>
</body></html>
`
}
