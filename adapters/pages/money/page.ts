import { html } from 'hono/html'
import { issueStatements } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { pager } from '../signed-in/navigation.ts'
import { fieldTitle, thingName } from '../signed-in/operation-words.ts'
import { mayNow, type Visitor } from '../signed-in/session.ts'
import { type Html, visible } from '../words.ts'
import type { Listed, Made, Totals } from './found.ts'
import { home, issueHome, type MoneySetting } from './setting.ts'
import {
  amountCell,
  amountIn,
  head,
  type Moved,
  movementTable,
  type Standing,
  statementSection,
  table,
} from './tables.ts'

/** The wallet of a customer. */
interface Wallet extends Standing {
  readonly account_id: number
  readonly name?: string
}

/** What the page shows to the staff. */
interface ForStaff {
  readonly wallets: readonly Wallet[]
  readonly totals: Totals
  readonly statements: readonly Listed[] | undefined
  readonly made: Made
  /** The last month that is over. */
  readonly month: string
  /** The idempotency key of the form. */
  readonly key: string
  readonly said: Result | undefined
}

/** The page of the staff: what customers have, statements, and what prices are made of. */
export function staffPage(shown: ForStaff, visitor: Visitor, setting: MoneySetting): Html {
  const { money: texts } = setting
  const { statements, said, made } = shown
  const content = html`${heading(texts.title, texts.lead)}
${resultBox(said)}
${balances(shown, setting)}
${statements && statementSection(statements, visitor, setting)}
${mayNow(visitor, issueStatements) && issueForm(shown, visitor, setting)}
${madeSection(made, setting)}`
  return signedFrame({ title: texts.title, content, kind: 'list', visitor }, setting)
}

function heading(title: unknown, lead: unknown): Html {
  return html`<div class="head"><div><h1>${title}</h1><p class="lead">${lead}</p></div></div>`
}

function balances({ wallets, totals: { sums, first } }: ForStaff, setting: MoneySetting): Html {
  const { money: texts } = setting
  const { lang } = setting.texts
  const rows = wallets.map(({ account_id: id, name, balance, credit_limit, currency }) => {
    const words = name === undefined ? texts.customer({ id }) : visible(name)
    return html`<tr><th scope="row"><a href="${withLanguage(`${home}?wallet=${id}`, setting)}"><bdi>${words}</bdi></a></th>${amountCell(balance)}${amountCell(credit_limit)}<td>${currency}</td></tr>`
  })
  const heads = [
    ...[head(fieldTitle('name', lang)), head(fieldTitle('balance', lang), true)],
    ...[head(fieldTitle('credit_limit', lang), true), head(fieldTitle('currency', lang))],
  ]
  const facts = sums.map(
    ({ currency, owed, held }) =>
      html`${fact(texts.owed, amountIn(owed, currency))}${fact(texts.held, amountIn(held, currency))}`,
  )
  const list =
    rows.length === 0
      ? html`<p class="none">${texts.none.customers}</p>`
      : html`<dl class="meta">${facts}</dl>${first !== undefined && html`<p>${texts.first({ count: first })}</p>`}
${table(texts.balances, heads, rows)}
<p><a href="${withLanguage('/records/wallet', setting)}">${texts.all.wallets}</a></p>`
  return html`<section><h2 id="balances">${texts.balances}</h2>${list}</section>`
}

function fact(name: unknown, value: unknown): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

/** The form that asks for a preview of what is issued. */
function issueForm({ month, key }: ForStaff, { formToken }: Visitor, setting: MoneySetting): Html {
  const { issue: words } = setting.money
  const label = fieldTitle('month', setting.texts.lang)
  return html`<section aria-labelledby="issue"><h2 id="issue">${words.title}</h2><p id="how">${words.hint}</p>
<form class="filter" method="post" action="${withLanguage(issueHome, setting)}">${formField(formToken)}<input type="hidden" name="key" value="${key}">
<div class="entry"><label for="month">${label}</label><input id="month" name="month" type="month" value="${month}" required aria-describedby="how" dir="ltr"></div>
<p class="saving"><button type="submit" name="step" value="preview">${words.button}</button></p></form></section>`
}

function madeSection({ list, markUps, rates }: Made, setting: MoneySetting): Html | undefined {
  const { money: texts } = setting
  if (list === undefined && markUps === undefined && rates === undefined) return undefined
  const link = (path: string, words: unknown) => html`<a href="${withLanguage(path, setting)}">${words}</a>`
  const ofRates = rates?.map((one) => html`<bdi dir="ltr">${texts.rate(one)}</bdi><br>`)
  return html`<section aria-labelledby="made"><h2 id="made">${texts.made}</h2><dl class="meta">
${list && fact(texts.list, list === 'none' ? texts.noList : texts.version(list))}
${markUps !== undefined && fact(setting.signed.navigation.markUps, link('/mark-ups', texts.rules({ count: markUps })))}
${ofRates && fact(thingName('exchange rates', setting.texts.lang), html`${ofRates}${link('/records/exchange-rate', texts.all.rates)}`)}</dl></section>`
}

/** The page of the wallet of a customer, for the staff. */
export function walletPage(
  { moved, account, name }: { readonly moved: Moved; readonly account: number; readonly name: string | undefined },
  visitor: Visitor,
  setting: MoneySetting,
): Html {
  const { money: texts } = setting
  const title = texts.movedIn({ name: name === undefined ? texts.customer({ id: account }) : visible(name) })
  const content = html`<p class="back"><a href="${withLanguage(home, setting)}">${texts.back}</a></p>
<div class="head"><h1>${title}</h1><p class="beside"><a href="${withLanguage(`/records/wallet/${account}`, setting)}">${texts.toWallet}</a></p></div>
${standing(moved, setting)}
${movements(moved, visitor, setting, `${home}?wallet=${account}&`)}`
  return signedFrame({ title, content, kind: 'list', visitor, kept: `wallet=${account}&page=${moved.page}` }, setting)
}

function standing({ balance, credit_limit, currency }: Standing, setting: MoneySetting): Html {
  const { lang } = setting.texts
  return html`<dl class="meta">${fact(fieldTitle('balance', lang), amountIn(balance, currency))}${fact(fieldTitle('credit_limit', lang), amountIn(credit_limit, currency))}</dl>`
}

function movements(moved: Moved, visitor: Visitor, setting: MoneySetting, path: string): Html {
  const pages = pager(moved, (page) => withLanguage(`${path}page=${page}`, setting), setting.signed)
  return html`${movementTable(moved, visitor, setting)}${pages}`
}

/** The page of a customer: its balance, what moved, and its statements. */
export function customerPage(
  { moved, statements }: { readonly moved: Moved; readonly statements: readonly Listed[] | undefined },
  visitor: Visitor,
  setting: MoneySetting,
): Html {
  const { money: texts } = setting
  const content = html`${heading(texts.title, texts.own)}
${standing(moved, setting)}
<section><h2 id="moved">${texts.moved}</h2>${movements(moved, visitor, setting, `${home}?`)}</section>
${statements && statementSection(statements, visitor, setting)}`
  const kept = moved.page > 1 ? `page=${moved.page}` : ''
  return signedFrame({ title: texts.title, content, kind: 'list', visitor, kept }, setting)
}
