import t from 'tap'
import { createLabelPrinter } from './index.ts'
import { codesOfZpl, fontsIn, type SeenPage, seenIn } from './labels.test.fixture.ts'
import { label, to } from './sample.test.fixture.ts'

const printer = createLabelPrinter(fontsIn(t.testdir({})))

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
