import type { PrintedCustoms } from '../../engine/index.ts'
import { type CustomsPage, drawRows, frame, kilograms, type Row } from './goods.ts'
import type { Write } from './lines.ts'
import type { Drawing } from './page.ts'
import { partySaid } from './said.ts'

const columns = [
  { title: 'Description / Désignation', x: 15, width: 62, of: ({ description }: Row) => description },
  { title: 'HS code / Code SH', x: 78, width: 23, of: ({ hs_code = '' }: Row) => hs_code },
  { title: 'Origin / Origine', x: 102, width: 14, of: ({ origin_country = '' }: Row) => origin_country },
  { title: 'Quantity / Quantité', x: 117, width: 16, of: ({ quantity }: Row) => String(quantity), isNumber: true },
  { title: 'Unit value / Valeur unitaire', x: 134, width: 28, of: ({ unit_value }: Row) => unit_value, isNumber: true },
  { title: 'Value / Valeur', x: 163, width: 31, of: ({ value }: Row) => value, isNumber: true },
] as const

const reasons: Readonly<Record<PrintedCustoms['contents_type'], string>> = {
  merchandise: 'Sale / Vente',
  gift: 'Gift / Cadeau',
  sample: 'Sample / Échantillon',
  documents: 'Documents / Documents',
  returned_goods: 'Returned goods / Retour de marchandise',
  other: 'Other / Autre',
}

/** Draws a page of a commercial invoice. */
export async function drawInvoice(drawing: Drawing, write: Write, page: CustomsPage): Promise<void> {
  const { form, rows, place, isLast } = page
  const { invoice, number, carrier, incoterm, contents_type, contents_explanation, total } = form
  await write('COMMERCIAL INVOICE / FACTURE COMMERCIALE', { x: 15, y: 14, width: 150 }, 14, 700)
  await write(place, { x: 165, y: 15, width: 30, endsRight: true }, 9)
  await write(`No. / N°: ${invoice.number}`, { x: 15, y: 22, width: 85 }, 10, 700)
  await write(`Date: ${invoice.day}`, { x: 105, y: 22, width: 60 }, 10, 700)
  for (const [side, title, x] of [
    ['from', 'Exporter / Exportateur', 13],
    ['to', 'Consignee / Destinataire', 106],
  ] as const) {
    frame(drawing, { x, y: 29, width: 91, height: 46 })
    await write(title, { x: x + 2, y: 30.5, width: 80 }, 7.5, 700)
    for (const [index, { text, isBold }] of partySaid(form[side], side).slice(0, 7).entries())
      await write(text, { x: x + 2, y: 35 + index * 4.4, width: 87 }, 9, isBold ? 700 : 400)
    const numbers = form.identifiers.filter((one) => one.side === side).map((one) => `${one.name}: ${one.number}`)
    await write(numbers.join(', '), { x: x + 2, y: 66.5, width: 87, lines: 2 }, 8)
  }
  const why = contents_explanation === undefined ? '' : ` (${contents_explanation})`
  await write(`Carrier / Transporteur: ${carrier}, ${number}`, { x: 15, y: 78, width: 180 }, 9)
  await write(`Reason for export / Motif: ${reasons[contents_type]}${why}`, { x: 15, y: 83, width: 120 }, 9)
  await write(
    incoterm === undefined ? '' : `Incoterms 2020: ${incoterm}`,
    { x: 137, y: 83, width: 57, endsRight: true },
    9,
    700,
  )
  frame(drawing, { x: 13, y: 89, width: 184, height: 10 })
  await drawRows(write, columns, rows, { head: 90, top: 100.5, step: 10, points: 7.5, lines: 3 })
  frame(drawing, { x: 13, y: 89, width: 184, height: 162 })
  if (!isLast) return write('Continued on the next page / Suite à la page suivante', { x: 15, y: 253, width: 180 }, 9)
  await write(`Net weight / Poids net: ${kilograms(form.net_grams)}`, { x: 15, y: 253, width: 80 }, 9)
  await write(`Gross weight / Poids brut: ${kilograms(form.gross_grams)}`, { x: 15, y: 258, width: 80 }, 9)
  await write(`Total: ${total.amount} ${total.currency}`, { x: 105, y: 254, width: 89, endsRight: true }, 13, 700)
  await write(
    'I declare that the particulars given in this invoice are true and correct. / Je certifie que les indications de cette facture sont exactes.',
    { x: 15, y: 265, width: 180, lines: 2 },
    8,
  )
  await write(`${form.day}, ${form.signer}`, { x: 15, y: 275, width: 150 }, 11, 700)
}
