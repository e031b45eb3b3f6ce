import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import type { PrintedCustoms } from '../../engine/index.ts'
import { codesOfZpl, placedCodes, printerIn, type SeenPage, seenIn, turned } from './labels.test.fixture.ts'
import { label, to } from './sample.test.fixture.ts'
import { fontsBelow } from './system-fonts.ts'

const printer = printerIn(t.testdir({}))

const link = `]Q1 ${label.url}`

/** The text of a page; where words end, programs differ. */
function withoutSpaces(page: SeenPage | undefined): string {
  return page?.lines.join('').replaceAll(' ', '') ?? ''
}

t.test('given a label, when it is printed, then people read all of it and scanners its number', async (t) => {
  const [page] = await seenIn(await printer.print('pdf', [label]))
  const said = ['From:', 'Lee Shop', 'Ann Lee', '1 Main Street', '+1 416 555 0101', 'SAME-DAY', '2 / 3']
  const details = ['Reference: PO-1001', 'Date: 2026-11-27', 'Weight: 1.25 kg', 'Ring twice.', label.number]
  for (const line of [...said, ...details]) t.ok(page?.lines.includes(line), line)
  t.same(page?.codes, [`]C0 ${label.number}`, link])
  t.notOk(page?.lines.includes('SAMPLE'))
  t.same(await codesOfZpl(await printer.print('zpl', [label])), [[`]C0 ${label.number}`, link]])
})

t.test('given several labels, when they are printed, then each has a page of 100 x 150 mm', async (t) => {
  const pdf = await printer.print('pdf', [label, { ...label, parcel: { number: 3, of: 3 } }])
  const pages = await seenIn(pdf)
  t.same(
    pages.map(({ lines }) => lines.find((line) => line.endsWith('/ 3'))),
    ['2 / 3', '3 / 3'],
  )
  t.match(Buffer.from(pdf, 'base64').toString('latin1'), /MediaBox \[0 0 283\.46\d* 425\.19\d*\]/)
  t.equal((await codesOfZpl(await printer.print('zpl', [label, label]))).length, 2)
})

t.test('given an SSCC, when it is printed, then as GS1-128 with its application identifier', async (t) => {
  const sscc = { ...label, number: '340123450000000000' }
  const [page] = await seenIn(await printer.print('pdf', [sscc]))
  t.same(page?.codes, [']C1 (00)340123450000000000', link])
  t.ok(page?.lines.includes('(00) 340123450000000000'))
  t.same(await codesOfZpl(await printer.print('zpl', [sscc])), [[']C1 (00)340123450000000000', link]])
})

t.test(
  'given 18 digits of which the last does not check the others, when they are printed, then as Code 128',
  async (t) => {
    const other = { ...label, number: '340123450000000001' }
    const [page] = await seenIn(await printer.print('pdf', [other]))
    t.same(page?.codes, [`]C0 ${other.number}`, link])
    t.ok(page?.lines.includes(other.number))
    t.same(await codesOfZpl(await printer.print('zpl', [other])), [[`]C0 ${other.number}`, link]])
  },
)

t.test('given a number that bars are too wide for, when it is printed, then as a QR code', async (t) => {
  for (const number of ['LONG-'.repeat(12), 'Größe 42']) {
    const [page] = await seenIn(await printer.print('pdf', [{ ...label, number }]))
    t.same(page?.codes, [`]Q1 ${number}`, link].sort())
    t.same(await codesOfZpl(await printer.print('zpl', [{ ...label, number }])), [[`]Q1 ${number}`, link].sort()])
  }
})

t.test('given addresses in many scripts, when they are printed, then their letters are in the document', async (t) => {
  const people = [
    to('Žofie Łukasiewicz', 'Đường Nguyễn Huệ 1'),
    to('Константин Їжак', 'Λεωφόρος Συγγρού 1'),
    to('王小明', '北京市朝阳区建国路88号'),
    to('山田 さくら', '東京都千代田区丸の内'),
    to('김민수', '서울특별시 강남구'),
  ]
  const pages = await seenIn(await printer.print('pdf', people))
  for (const [index, { to }] of people.entries())
    for (const text of [to.name, ...to.lines])
      t.ok(withoutSpaces(pages[index]).includes(text.replaceAll(' ', '')), text)
})

t.test(
  'given text that joins, turns or has marks, when it is printed, then its letters are in the document',
  async (t) => {
    const people = [
      to('مريم الحسن', 'شارع الحمرا ١٢'),
      to('נועה לוי', 'רחוב הרצל'),
      to('สมชาย ใจดี', 'ถนนสุขุมวิท'),
      to('王𠮷田', '𡈽𣑊龘'),
      to('Ann مريم', 'Flat (3), שדרות'),
    ]
    const pages = await seenIn(await printer.print('pdf', people))
    for (const [index, { to }] of people.entries()) {
      // Programs tell letters of both directions, and marks, in different orders.
      const printed = new Set(withoutSpaces(pages[index]))
      for (const letter of to.name + to.lines.join('')) {
        const isTold = printed.has(letter) || [...printed].some((one) => one.normalize('NFKD').includes(letter))
        if (/[\p{L}\p{N}]/u.test(letter)) t.ok(isTold, `${letter} of ${to.name}`)
      }
      t.same(pages[index]?.codes, [`]C0 ${label.number}`, link])
    }
  },
)

t.test('given each size and printer, when a label is printed, then scanners read it there', async (t) => {
  const sscc = { ...label, number: '340123450000000000' }
  const codes = [']C1 (00)340123450000000000', link]
  const setups = [
    { size: '100x150', dpi: 300 },
    { size: '4x6', dpi: 203 },
    { size: '4x6', dpi: 300 },
    { size: 'a6', dpi: 203 },
  ] as const
  for (const setup of setups) {
    const said = `${setup.size} at ${setup.dpi} dpi`
    const pages = await seenIn(await printer.print('pdf', [sscc], setup), setup.dpi)
    t.same(
      pages.map((page) => page.codes),
      [codes],
      said,
    )
    t.same(await codesOfZpl(await printer.print('zpl', [sscc], setup), setup), [codes], `${said}, ZPL`)
  }
  t.same(await codesOfZpl(await printer.print('zpl', [to('مريم الحسن', 'Straße 1')])), [[`]C0 ${label.number}`, link]])
})

t.test('given sheets of four, when labels are printed, then each is in its quarter, in order', async (t) => {
  const labels = [1, 2, 3, 4, 5].map((number) => ({ ...label, number: `LD0000420000000001${number}` }))
  const [first, second, ...more] = await placedCodes(
    await printer.print('pdf', labels, { size: 'a4_four', start_at: 2 }),
  )
  const numbers = labels.map(({ number }) => number)
  t.same(first, [undefined, numbers[0], numbers[1], numbers[2]])
  t.same(second, [numbers[3], numbers[4], undefined, undefined])
  t.same(more, [])
})

t.test(
  'given the picture of a carrier, when it is placed on paper, then as large as it is, and scanners read it',
  async (t) => {
    const codes = [`]C0 ${label.number}`, link]
    for (const dpi of [203, 300] as const) {
      const [page] = await seenIn(await printer.print('pdf', [label], { dpi }), dpi)
      const picture = { media_type: 'image/png', content: Buffer.from(page?.picture ?? []).toString('base64') }
      const [upright, lying] = [await printer.place(picture, '4x6'), await printer.place(turned(picture), '4x6')]
      for (const placed of [upright, lying]) {
        const paper = { width_mm: 101.6, height_mm: 152.4 }
        t.match(placed, { media_type: 'application/pdf', isPlaced: true, page: paper })
        t.same((await seenIn(placed.content, dpi))[0]?.codes, codes, `${dpi} dpi`)
      }
      for (const size of ['a6', 'a4_four'] as const) {
        const { page, ...placed } = await printer.place(picture, size)
        t.same(placed, { ...picture, isPlaced: false }, `it is too high for ${size}`)
        t.match(page, { height_mm: 150 })
      }
    }
  },
)

t.test(
  'given other documents of a carrier, when they are placed, then they stay as they are, with their size',
  async (t) => {
    const pdf = { media_type: 'application/pdf', content: await printer.print('pdf', [label], { size: '4x6' }) }
    t.same(await printer.place(pdf, 'a6'), { ...pdf, page: { width_mm: 101.6, height_mm: 152.4 }, isPlaced: false })
    const others = ['application/zpl', 'application/pdf', 'image/png'].map((media_type) => ({
      media_type,
      content: 'XlhB',
    }))
    for (const other of others)
      t.same(await printer.place(other, 'a6'), { ...other, isPlaced: false }, other.media_type)
    const picture = { media_type: 'image/png', content: (await seenIn(pdf.content))[0]?.picture ?? new Uint8Array() }
    const unasked = { ...picture, content: Buffer.from(picture.content).toString('base64') }
    t.match(await printer.place(unasked, undefined), { ...unasked, isPlaced: false }, 'nobody has asked for a size')
  },
)

t.test('given the longest texts, when they are printed, then they are whole in smaller letters', async (t) => {
  const name = 'Wilhelmina Montgomery '.repeat(5).slice(0, 100).trim()
  const street = '1234 Upper Broadway Avenue '.repeat(8).slice(0, 200).trim()
  const town = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch '.repeat(4).slice(0, 220).trim()
  const long = { ...label, to: { name, lines: [street, town, 'UNITED KINGDOM'] }, note: '注意易碎物品'.repeat(80) }
  const [page] = await seenIn(await printer.print('pdf', [long]))
  const printed = withoutSpaces(page)
  for (const text of [name, street, town, 'UNITED KINGDOM', long.note])
    t.ok(printed.includes(text.replaceAll(' ', '')), text)
  t.same(page?.codes, [`]C0 ${label.number}`, link])
})

t.test('given commands of printers in a text, when it is printed as ZPL, then they are letters', async (t) => {
  const zpl = await printer.print('zpl', [to('^XZ~JA_5E\\&', 'Street')])
  t.equal(Buffer.from(zpl, 'base64').toString().match(/\^XZ/g)?.length, 1)
  t.match(Buffer.from(zpl, 'base64').toString(), /\^FD_5EXZ_7EJA_5F5E_5C&\^FS/)
  t.same(await codesOfZpl(zpl), [[`]C0 ${label.number}`, link]])
})

t.test('given a sample, when it is printed, then it says so and can be scanned', async (t) => {
  const sample = { ...label, isSample: true }
  const [page] = await seenIn(await printer.print('pdf', [sample]))
  t.ok(page?.lines.includes('SAMPLE'))
  t.same(page?.codes, [`]C0 ${label.number}`, link])
  t.match(Buffer.from(await printer.print('zpl', [sample]), 'base64').toString(), /\^FDSAMPLE\^FS/)
})

t.test(
  'given goods, when customs documents are printed, then each has all of them, and sums in both languages',
  async (t) => {
    const row = {
      ...{ description: 'Cotton shirts', quantity: 2, unit_value: '19.90', value: '39.80', weight_grams: 360 },
      ...{ hs_code: '610910', origin_country: 'PT' },
    }
    const rows = Array.from({ length: 30 }, (_, index) => ({ ...row, description: `Żółw ${index + 1}.` }))
    const { from } = label
    const form: PrintedCustoms = {
      kind: 'cn22',
      contents_type: 'other',
      non_delivery: 'abandon',
      ...{ from, to: label.to, carrier: 'Posta', number: 'RR1', day: '2026-06-10', isSample: false },
      ...{ contents_explanation: 'Exhibits', signer: 'Zoe Signer' },
      ...{ incoterm: 'DAP', invoice: { number: 'I-1', day: '2026-06-09' }, net_grams: 720, gross_grams: 1_000 },
      identifiers: [
        { side: 'from', name: 'IOSS', number: 'IM2760000123' },
        { side: 'to', name: 'VAT', number: 'NO9' },
      ],
      ...{ rows: rows.slice(0, 7), total: { amount: '278.60', currency: 'EUR' } },
    }
    const printed = async (more: Partial<PrintedCustoms>) =>
      (await seenIn(await printer.printCustoms([{ ...form, ...more }]))).map(withoutSpaces)
    const [small = '', ...none] = await printed({})
    t.same(none, [])
    for (const text of [
      'CN22',
      'DÉCLARATIONENDOUANE',
      'RR1',
      '2xŻółw7.',
      '0.360',
      '39.80',
      '610910',
      'PT',
      '278.60EUR',
    ])
      t.ok(small.includes(text), `CN22 ${text}`)
    for (const text of ['Other/Autre:Exhibits', '0.720', '2026-06-10,ZoeSigner', 'certify'])
      t.ok(small.includes(text), text)
    const large = await printed({ kind: 'cn23', rows })
    t.equal(large.length, 3)
    for (const [index, page] of large.entries())
      for (const text of ['CN23', 'LeeShop', 'AnnLee', 'IOSS:IM2760000123', 'VAT:NO9', `${index + 1}/3`])
        t.ok(page.includes(text), `CN23 ${index} ${text}`)
    t.ok(large[0]?.includes('Suiteàlapagesuivante'))
    for (const text of ['Żółw30.', '1.000kg', 'Treatasabandoned', 'Incoterms2020:DAP', 'I-1'])
      t.ok(large[2]?.includes(text), text)
    const invoice = await printed({ kind: 'commercial_invoice', rows })
    t.equal(invoice.length, 2)
    for (const text of ['FACTURECOMMERCIALE', '2026-06-09', 'Exporter/Exportateur', 'Other/Autre(Exhibits)', '19.90'])
      t.ok(invoice[0]?.includes(text), text)
    t.ok(invoice[1]?.includes('Total:278.60EUR'))
    t.notOk([small, ...large, ...invoice].some((page) => page.includes('SAMPLE')))
    t.match(await printed({ isSample: true }), [/SAMPLE/])
    t.match(
      await printed({ from: { ...from, name: 'Ann 😀' }, kind: 'cn23' }),
      [/Ann\[\?\]/],
      'the paper is not refused',
    )
  },
)

t.test(
  'given a pipe in a folder of fonts, when they are looked through, then nobody waits for it',
  { skip: process.platform === 'win32' && 'pipes have no names there' },
  async (t) => {
    const folder = t.testdir({})
    execFileSync('mkfifo', [join(folder, 'pipe.ttf')])
    t.same(await fontsBelow([folder]), [])
  },
)
