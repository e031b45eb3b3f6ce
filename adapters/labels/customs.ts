import type { PrintedCustoms } from '../../engine/index.ts'
import { pause } from '../http/pause.ts'
import type { Box } from './boxes.ts'
import type { Fonts } from './fonts.ts'
import { type Column, type CustomsPage, drawRows, frame, kilograms, type Row } from './goods.ts'
import { drawInvoice } from './invoice.ts'
import { a4, type Write, writerOn } from './lines.ts'
import { type Drawing, drawn, mm } from './page.ts'
import { partySaid } from './said.ts'

type Form = PrintedCustoms

/** The goods that have room on a page of each kind. */
const perPage: Readonly<Record<Form['kind'], number>> = { cn22: 7, cn23: 12, commercial_invoice: 15 }

/** A PDF of customs documents: a CN22 on the paper of labels, the others on A4. */
export function customsOf(forms: readonly Form[], fonts: Fonts): Promise<Buffer> {
  const [first] = forms
  const isSmall = first?.kind === 'cn22'
  const size = isSmall ? ([100 * mm, 150 * mm] as const) : a4
  return drawn(size, titles[first?.kind ?? 'cn23'], async (drawing) => {
    const write = writerOn(drawing, fonts)
    for (const page of forms.flatMap(pagesOf)) {
      drawing.document.addPage()
      if (page.form.isSample) await write('SAMPLE', { x: isSmall ? 64 : 150, y: isSmall ? 21 : 8, width: 30 }, 12, 700)
      if (page.form.kind === 'cn22') await drawCn22(drawing, write, page)
      else if (page.form.kind === 'cn23') await drawCn23(drawing, write, page)
      else await drawInvoice(drawing, write, page)
      // Others are served between two pages.
      await pause()
    }
  })
}

const titles = { cn22: 'CN 22', cn23: 'CN 23', commercial_invoice: 'Commercial invoice' } as const

function pagesOf(form: Form): readonly CustomsPage[] {
  const size = perPage[form.kind]
  const pages = Math.max(1, Math.ceil(form.rows.length / size))
  return Array.from({ length: pages }, (_, index) => ({
    ...{ form, rows: form.rows.slice(index * size, (index + 1) * size), before: index * size },
    ...{ place: `${index + 1} / ${pages}`, isLast: index === pages - 1 },
  }))
}

/** Contents in the words of the forms. */
const contents: readonly (readonly [type: Form['contents_type'], english: string, french: string])[] = [
  ['gift', 'Gift', 'Cadeau'],
  ['documents', 'Documents', 'Documents'],
  ['sample', 'Commercial sample', 'Échantillon commercial'],
  ['merchandise', 'Sale of goods', 'Vente de marchandises'],
  ['returned_goods', 'Returned goods', 'Retour de marchandise'],
  ['other', 'Other', 'Autre'],
]

async function drawContents(drawing: Drawing, write: Write, form: Form, box: Box, points: number) {
  const { contents_type, contents_explanation = '' } = form
  const [width, height] = [box.width / 2, box.height / 3]
  for (const [index, [type, english, french]] of contents.entries()) {
    const [x, y] = [box.x + (index % 2) * width, box.y + Math.floor(index / 2) * height]
    frame(drawing, { x, y: y + 0.4, width: 3, height: 3 })
    if (type === contents_type) await write('X', { x: x + 0.7, y: y + 0.1, width: 3 }, 9, 700)
    const why = type === 'other' && type === contents_type ? `: ${contents_explanation}` : ''
    await write(`${english} / ${french}${why}`, { x: x + 4.5, y: y + 0.2, width: width - 5, lines: 2 }, points)
  }
}

const hsCode = ({ hs_code = '' }: Row) => hs_code
const origin = ({ origin_country = '' }: Row) => origin_country
const weight = ({ weight_grams }: Row) => (weight_grams / 1000).toFixed(3)

const small: readonly Column[] = [
  {
    title: 'Quantity and detailed description of contents / Quantité et description détaillée du contenu',
    x: 5,
    width: 38,
    of: ({ quantity, description }) => `${quantity} x ${description}`,
  },
  { title: 'Net weight (kg) / Poids net', x: 44, width: 12, of: weight, isNumber: true },
  { title: 'Value and currency / Valeur et monnaie', x: 57, width: 15, of: ({ value }) => value, isNumber: true },
  { title: 'HS tariff number / N° tarifaire du SH', x: 73, width: 15, of: hsCode },
  { title: 'Origin / Origine', x: 89, width: 6.5, of: origin },
]

const large: readonly Column[] = [
  {
    title: 'Detailed description of contents / Description détaillée du contenu',
    x: 15,
    width: 66,
    of: ({ description }) => description,
  },
  { title: 'Quantity / Quantité', x: 82, width: 16, of: ({ quantity }) => String(quantity), isNumber: true },
  { title: 'Net weight (kg) / Poids net (kg)', x: 99, width: 22, of: weight, isNumber: true },
  { title: 'Value and currency / Valeur et monnaie', x: 122, width: 26, of: ({ value }) => value, isNumber: true },
  { title: 'HS tariff number / N° tarifaire du SH', x: 149, width: 26, of: hsCode },
  { title: 'Country of origin / Pays d’origine', x: 176, width: 18, of: origin },
]

const declared = {
  cn22: 'I, the undersigned, whose name and address are given on the item, certify that the particulars given in this declaration are correct and that this item does not contain any dangerous article or articles prohibited by legislation or by postal or customs regulations.',
  cn23: 'I certify that the particulars given in this customs declaration are correct and that this item does not contain any dangerous article or articles prohibited by legislation or by postal or customs regulations.',
} as const

async function drawCn22(drawing: Drawing, write: Write, { form, rows }: CustomsPage) {
  const { carrier, total, net_grams, day, signer, number } = form
  frame(drawing, { x: 3, y: 3, width: 94, height: 144 })
  await write('CUSTOMS DECLARATION', { x: 5, y: 5, width: 60 }, 12, 700)
  await write('DÉCLARATION EN DOUANE', { x: 5, y: 10, width: 60 }, 10, 700)
  await write('CN 22', { x: 65, y: 5, width: 30, endsRight: true }, 14, 700)
  await write('May be opened officially / Peut être ouvert d’office', { x: 5, y: 15, width: 90 }, 7)
  await write(`Designated operator / Opérateur désigné: ${carrier}`, { x: 5, y: 18.5, width: 90 }, 7)
  await write(`Item / Envoi: ${number}`, { x: 5, y: 22, width: 58 }, 8, 700)
  frame(drawing, { x: 3, y: 26.5, width: 94, height: 16 })
  await drawContents(drawing, write, form, { x: 5, y: 27.3, width: 90, height: 15 }, 5.6)
  frame(drawing, { x: 3, y: 42.5, width: 94, height: 10.5 })
  await drawRows(write, small, rows, { head: 43.2, top: 54, step: 8, points: 6, lines: 3 })
  frame(drawing, { x: 3, y: 110.5, width: 94, height: 8.5 })
  await write('Total weight (kg) / Poids total', { x: 5, y: 111.2, width: 40 }, 6)
  await write((net_grams / 1000).toFixed(3), { x: 5, y: 114.2, width: 40 }, 9, 700)
  await write('Total value / Valeur totale', { x: 50, y: 111.2, width: 45 }, 6)
  await write(`${total.amount} ${total.currency}`, { x: 50, y: 114.2, width: 45 }, 9, 700)
  await write(declared.cn22, { x: 5, y: 120.5, width: 90, lines: 5 }, 6.5)
  await write('Date and sender’s signature / Date et signature de l’expéditeur', { x: 5, y: 135, width: 90 }, 6.5)
  await write(`${day}, ${signer}`, { x: 5, y: 139, width: 90 }, 10, 700)
}

async function drawParty(write: Write, form: Form, side: 'from' | 'to', { x, y, width }: Omit<Box, 'height'>) {
  const said = partySaid(form[side], side)
  for (const [index, { text, isBold }] of said.slice(0, 7).entries())
    await write(text, { x, y: y + index * 4.6, width }, 9.5, isBold ? 700 : 400)
  const numbers = form.identifiers.filter((one) => one.side === side).map(({ name, number }) => `${name}: ${number}`)
  await write(numbers.join(', '), { x, y: y + 33, width }, 8.5)
}

async function drawCn23(drawing: Drawing, write: Write, { form, rows, place, isLast }: CustomsPage) {
  const { carrier, number, total, net_grams, gross_grams, incoterm, invoice, non_delivery, day, signer } = form
  await write('CUSTOMS DECLARATION / DÉCLARATION EN DOUANE', { x: 15, y: 14, width: 140 }, 14, 700)
  await write('CN 23', { x: 160, y: 14, width: 35, endsRight: true }, 16, 700)
  await write(`Designated operator / Opérateur désigné: ${carrier}`, { x: 15, y: 21, width: 120 }, 9)
  await write(`No. of item / N° de l’envoi: ${number}`, { x: 15, y: 26, width: 120 }, 10, 700)
  await write('May be opened officially / Peut être ouvert d’office', { x: 115, y: 21, width: 80, endsRight: true }, 8)
  await write(place, { x: 160, y: 26, width: 35, endsRight: true }, 9)
  for (const [side, title, y] of [
    ['from', 'From / De', 33],
    ['to', 'To / À', 78],
  ] as const) {
    frame(drawing, { x: 13, y, width: 184, height: 43 })
    await write(title, { x: 15, y: y + 1.5, width: 60 }, 7.5, 700)
    await drawParty(write, form, side, { x: 15, y: y + 5.5, width: 178 })
  }
  frame(drawing, { x: 13, y: 123, width: 184, height: 11 })
  await drawRows(write, large, rows, { head: 124, top: 135.5, step: 8, points: 7.5, lines: 2 })
  frame(drawing, { x: 13, y: 123, width: 184, height: 110 })
  if (!isLast) return write('Continued on the next page / Suite à la page suivante', { x: 15, y: 236, width: 180 }, 9)
  frame(drawing, { x: 13, y: 233, width: 184, height: 9 })
  await write(`Total net weight / Poids net total: ${kilograms(net_grams)}`, { x: 15, y: 234, width: 88 }, 8.5, 700)
  await write(
    `Total gross weight / Poids brut total: ${kilograms(gross_grams)}`,
    { x: 15, y: 238, width: 88 },
    8.5,
    700,
  )
  await write(
    `Total value / Valeur totale: ${total.amount} ${total.currency}`,
    { x: 105, y: 236, width: 88, endsRight: true },
    10,
    700,
  )
  await write('Category of item / Catégorie de l’envoi', { x: 15, y: 243, width: 90 }, 7.5, 700)
  await drawContents(drawing, write, form, { x: 15, y: 247, width: 110, height: 14 }, 6.5)
  const lost =
    non_delivery === 'return'
      ? 'Return to sender / Renvoyer à l’expéditeur'
      : 'Treat as abandoned / Traiter comme abandonné'
  await write(`Invoice / Facture: ${invoice.number}`, { x: 128, y: 243, width: 67 }, 8)
  await write(incoterm === undefined ? '' : `Incoterms 2020: ${incoterm}`, { x: 128, y: 247.5, width: 67 }, 8)
  await write('If undeliverable / En cas de non-livraison:', { x: 128, y: 252, width: 67 }, 7.5)
  await write(lost, { x: 128, y: 256, width: 67, lines: 2 }, 8)
  await write(declared.cn23, { x: 15, y: 263, width: 180, lines: 3 }, 8)
  await write('Date and sender’s signature / Date et signature de l’expéditeur', { x: 15, y: 272.5, width: 120 }, 8)
  await write(`${day}, ${signer}`, { x: 15, y: 277, width: 150 }, 11, 700)
}
