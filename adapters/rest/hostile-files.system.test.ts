import { gzipSync } from 'node:zlib'
import t from 'tap'
import { type World, world } from '../auth/world.test.fixture.ts'

const MB = 1024 * 1024
const columns = ['type', 'reference', 'delivery.name', 'delivery.address.street', 'delivery.address.postal_code']
const names = [...columns, 'delivery.address.country', 'items']
const cells = ['D', '', 'Ann', '1 Main Street', 'M5V 1A1', 'CA', '1']
const head = `${names.join()}\n`
const good = `${head}${cells.join()}\n`

/** A file with one line, one cell of which says something else; `name` is another column in the place of the references. */
const line = (name: string, cell: string) =>
  `${names.join().replace('reference', name)}\n${cells.join().replace('D,,', `D,${cell},`)}\n`

/** A file with one line, whose number of pieces is this text. */
const items = (cell: string) => `${head}${cells.slice(0, -1).join()},${cell}\n`

const bytes = (text: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(text, encoding))

type File = Uint8Array<ArrayBuffer> | string
type Case = readonly [what: string, file: File, headers?: Readonly<Record<string, string>>]

/** Files that are refused as a whole, by their codes. */
const refused: Readonly<Record<string, readonly Case[]>> = {
  invalid_utf8: [
    ['UTF-16 without its mark', bytes(good.replace('Ann', 'Änn'), 'utf16le').slice(1)],
    ['UTF-16 that is cut off', bytes(`\ufeff${good}`, 'utf16le').slice(0, -1)],
    ['Windows-1252', bytes(good.replace('Ann', 'Zo\xeb \x80'), 'latin1')],
    ['Latin-1', bytes(good.replace('Ann', 'Änn'), 'latin1')],
    ['half a character', bytes(`${head}\xed\xa0\x80`, 'latin1')],
    ['something that is compressed', new Uint8Array(gzipSync(good))],
  ],
  csv_malformed: [
    ['a lone quotation mark', `${good}"`],
    ['a quotation mark within a cell', good.replace('Ann', 'A"nn')],
    ['a quotation mark before a megabyte', `${good}"${'x'.repeat(MB - 1_000)}`],
    ['half a million quotation marks and one', `${head}${'""'.repeat(500_000)}"`],
    ['a megabyte of line ends after a quotation mark', `${head}"${'\n'.repeat(MB - 1_000)}`],
  ],
  csv_error: [
    ...['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#BEZUG!', '#NV', '#¡VALOR!', '########'].map(
      (cell): Case => [cell, good.replace('Ann', cell)],
    ),
    ['an error below a column without a name', good.replace('reference', '').replace('D,,', 'D,#REF!,')],
  ],
  csv_unnamed: [['a value below a column without a name', good.replace('reference', '').replace('D,,', 'D,x,')]],
  csv_encoding: [['what was decoded wrongly before', good.replace('Ann', 'Zo\ufffd')]],
  csv_cells: [
    ['more cells than columns', good.replace(/,1\n$/, ',1,,x\n')],
    ['half a million quotation marks', `${head}${'""'.repeat(500_000)}`],
    ['a million cells', `${head}${','.repeat(MB - 1_000)}\nx`],
  ],
  csv_rows: [
    ['nothing', ''],
    ['a million columns without names', ','.repeat(MB - 10)],
    ['300,000 empty cells in quotation marks', `${head}${'"",'.repeat(300_000)}`],
    ['a million line ends', '\n'.repeat(MB - 10)],
    ['a million line ends of an old kind', '\r'.repeat(MB - 10)],
    ['half a million lines', `type\n${'a\n'.repeat(500_000)}`],
  ],
  csv_column: [
    ['10,000 columns of one name', `${'type,'.repeat(10_000)}type\n`],
    ['a column twice', line('type', 'D')],
    ['a column __proto__', line('__proto__', 'x')],
    ['a column below __proto__', line('delivery.__proto__.name', 'x')],
    ['a column constructor', line('constructor', 'x')],
    ['a name of a megabyte', 'x'.repeat(MB - 10)],
    ['a megabyte of blanks', ' '.repeat(MB - 10)],
    ['control characters', 'a\0\u202e\u001b[2J\n1'],
    ['a ZIP', bytes('PK\x03\x04\0\0\0\0,', 'latin1')],
  ],
  payload_too_large: [
    ['a cell of 16 MB', `${head}"${'x'.repeat(16 * MB)}"`],
    ['a gzip bomb', new Uint8Array(gzipSync(Buffer.alloc(200 * MB, 'x'))), { 'content-encoding': 'gzip' }],
  ],
  unsupported_media_type: [['a spreadsheet', good, { 'content-type': 'application/vnd.ms-excel' }]],
}

/** Files with a line that is refused: the member and its code. */
const wrong: readonly (readonly [path: string, code: string, file: string])[] = [
  ['delivery.name', 'control_character', good.replace('Ann', 'A\0nn')],
  ['delivery.name', 'too_long', good.replace('Ann', 'x'.repeat(MB - 1_000))],
  ...['1e400', '0x10', 'NaN', '١', '1,5'.replace(',', '.'), '9'.repeat(400), '9'.repeat(MB - 1_000)].map(
    (cell) => ['items', 'wrong_type', items(cell)] as const,
  ),
  ...['9.40551E+21', '9.4E+21', '1.23457E+11', '1E+05', '2e+16', '9.40551E21', '1.0E7', "'9.40551E+21"].flatMap(
    (cell) =>
      (['reference', 'tracking_number', 'external_tracking_number', 'delivery.phone'] as const).map(
        (column) => [column, 'shortened_number', line(column, cell)] as const,
      ),
  ),
  ['reference', 'shortened_number', line('reference', '"9,40551E+21"')],
  ['delivery.address.postal_code', 'shortened_number', good.replace('M5V 1A1', '1.0115E+04')],
  ['reference', 'decimal_number', line('reference', '940551234.0')],
  ['items', 'too_small', items('-1')],
  ...['275760-09-13', '+275760-09-13', '2026-06-11T10:00:00Z'].map(
    (cell) => ['schedule_date', 'too_long', line('schedule_date', cell)] as const,
  ),
  ...['0000-00-00', '2026-02-30'].map((cell) => ['schedule_date', 'no_such_day', line('schedule_date', cell)] as const),
  ...['01/02/2026', '46000', 'tomorrow'].map(
    (cell) => ['schedule_date', 'not_a_day', line('schedule_date', cell)] as const,
  ),
  ['price.shipping_price', 'not_an_amount', line('price.shipping_price', '-1e400')],
  ['price.shipping_price', 'too_long', line('price.shipping_price', '9'.repeat(30))],
  ['tags[0]', 'not_a_tag', line('tags', '__proto__')],
  ['tags', 'too_long', line('tags', 'a '.repeat(400_000))],
  ['tags', 'too_long', line('tags', Array.from({ length: 160_000 }, (_, place) => `a${place.toString(36)}`).join(' '))],
]

interface Answer {
  readonly code?: string
  readonly errors?: readonly { readonly code: string }[]
  readonly created?: number
  readonly failed?: number
  readonly orders?: readonly { readonly errors: readonly object[] }[]
}

async function send({ app, tokens }: World, file: File, headers: Readonly<Record<string, string>> = {}) {
  const authorization = `Bearer ${tokens.client_admin}`
  const asked = { method: 'POST', headers: { authorization, 'content-type': 'text/csv', ...headers }, body: file }
  return (await app.request('/api/v1/orders/import', asked)).json() as Promise<Answer>
}

async function eventsIn({ store }: World): Promise<number> {
  let events = 0
  for await (const _ of store.readAll()) events++
  return events
}

t.test('given hostile files, when they are imported, then each is refused, and nothing is written', async (t) => {
  const made = await world()
  const before = await eventsIn(made)
  for (const [code, files] of Object.entries(refused))
    for (const [what, file, headers] of files) {
      const answer = await send(made, file, headers)
      t.equal(code.startsWith('csv_') ? answer.errors?.[0]?.code : answer.code, code, what)
    }
  for (const [place, [path, code, file]] of wrong.entries()) {
    const { created, failed, orders: [order] = [] } = await send(made, file)
    t.same([created, failed], [0, 1], `${path} ${place}`)
    t.match(order?.errors, [{ path, code }], `${path} ${place}`)
  }
  t.equal(await eventsIn(made), before)
})

t.test('given unusual files, when they are imported, then their orders are made as they are meant', async (t) => {
  const made = await world()
  const row = `${cells.join()}`
  const unusual: readonly Case[] = [
    ['a mark of the order of bytes', `\ufeff${good}`],
    ['all kinds of line ends', `\ufeff${head.replace('\n', '\r')}\r\n\n\r${row}\r\n\r\n`],
    ['semicolons', good.replaceAll(',', ';')],
    ['semicolons after empty lines', `\r\n\n${good.replaceAll(',', ';')}`],
    ['semicolons, and a comma in quotation marks', `"type, \n";${good.replaceAll(',', ';').replace('type;', '')}`],
    ['tabs after a semicolon', `"type;"\t${good.replaceAll(',', '\t').replace('type\t', '')}`],
    ['gzip', new Uint8Array(gzipSync(good)), { 'content-encoding': 'gzip' }],
    ['a wrong charset', good, { 'content-type': 'text/csv; charset="\\"' }],
    ['UTF-16', bytes(`\ufeff${good}`, 'utf16le')],
    ['UTF-16 of another order', Uint8Array.from(Buffer.from(`\ufeff${good}`, 'utf16le').swap16())],
    ['tabs', good.replaceAll(',', '\t')],
    ['a line that names the separator', `sep=;\r\n${good.replaceAll(',', ';')}`],
    ['a rare separator', `\ufeffSEP=|\n${good.replaceAll(',', '|')}`],
    [
      'columns in capitals, with spaces',
      `Type, Reference,Delivery Name ,DELIVERY.ADDRESS.STREET,Delivery_Address_Postal-Code,delivery address country,Items\n${row}\n`,
    ],
    ['empty columns at the end', `${names.join()},,,\n${row},,,\n${',,,,,,,,,'}\n`],
    ['an empty column in the middle', `type,,${names.slice(1).join()}\nD, ,${cells.slice(1).join()}\n`],
    ['empty lines at the end', `${good}\n,,,,,,\n ,\t,,,,,\n`],
    ['text marks of spreadsheets', good.replace('M5V 1A1', '"=""M5V 1A1"""').replace(',CA,1', ",CA,'1")],
    ['a formula', good.replace('Ann', '=1+1')],
    ['a formula that was made safe', good.replace('Ann', "'=1+1")],
    ['another direction', good.replace('Ann', '\u202egnp')],
  ]
  for (const [what, file, headers] of unusual) t.match(await send(made, file, headers), { created: 1, failed: 0 }, what)
})
