import t from 'tap'
import { isEngineError, type LabelSetup } from '../../engine/index.ts'
import { fromLeft, levelsOf } from './bidi.ts'
import { boxes, dotsOfBar, dotsOfMillimetre, dotsOfSquare } from './boxes.ts'
import { hasLetter } from './cmap.ts'
import { codeOf } from './codes.ts'
import { openFonts } from './fonts.ts'
import { createLabelPrinter } from './index.ts'
import { fontsIn, printerIn, usual } from './labels.test.fixture.ts'
import { label, to } from './sample.test.fixture.ts'
import { linesOf, measuring, wordsOf } from './text.ts'

const folder = t.testdir({})
const printer = printerIn(folder)
const withoutFolders = createLabelPrinter({ from: fontsIn(t.testdir({ alone: {} })), folders: [] })

function textOf(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8')
}

t.test('given labels, when they are printed, then they are a document or commands for a printer', async (t) => {
  const printed = async (format: 'pdf' | 'zpl') =>
    Buffer.from(await printer.print(format, [label, label]), 'base64').toString('latin1')
  t.match(await printed('pdf'), /^%PDF-1[\s\S]*\/Count 2\b/)
  t.equal((await printed('zpl')).match(/\^XA[\s\S]*?\^XZ/g)?.length, 2)
})

t.test(
  'given 18 digits, when they are printed, then they are an SSCC only if the last is its check digit',
  async (t) => {
    // Code 128 takes 11 modules for two digits and for each of its signs, and 13 to end; an SSCC has FNC1 and (00) before it.
    const cases = [
      { number: '340123450000000000', across: (1 + 1 + 10 + 1) * 11 + 13, command: '>;>800340123450000000000' },
      { number: '340123450000000001', across: (1 + 9 + 1) * 11 + 13, command: '^FD340123450000000001' },
    ]
    for (const { number, across, command } of cases) {
      t.match(await codeOf(number), { kind: 'bars', across }, number)
      const zpl = textOf(await printer.print('zpl', [{ ...label, number }]))
      t.ok(zpl.includes(command), command)
    }
  },
)

t.test('given an SSCC, when its bars are drawn, then they are as wide and high as GS1 asks, with quiet beside', (t) => {
  for (const dpi of [203, 300] as const) {
    const module = dotsOfBar(boxes.code.width, 156, dpi) / dotsOfMillimetre(dpi)
    t.ok(module >= 0.495 && module <= 0.94, `${module} mm`)
    t.ok((156 + 20) * module <= boxes.code.width, 'ten modules of quiet on each side')
    t.ok(boxes.code.height >= 31.75)
    const square = dotsOfSquare(boxes.qr, 33, dpi)
    t.ok(((33 + 8) * square) / dotsOfMillimetre(dpi) <= boxes.qr.width, 'four modules of quiet on each side')
  }
  t.end()
})

t.test('given letters of Europe, when they are printed as ZPL, then they are text in UTF-8', async (t) => {
  const names = ['Paweł Żółć', 'Łucja Świątek', 'Dvořák Čeněk', 'Şükrü Yılmaz', 'Ņikita Ģirts', 'Ærø Ðorđe', 'Őry Ű']
  for (const name of names) {
    const zpl = textOf(
      await withoutFolders.print('zpl', [to(name, 'ul. Długa 5')], usual).then(({ content }) => content),
    )
    t.match(zpl, /^\^XA\^CI28/)
    t.ok(zpl.includes(`^FD${name}^FS`), name)
    t.notMatch(zpl, /\^GF/)
  }
})

t.test('given letters that printers do not have, when they are printed as ZPL, then they are pictures', async (t) => {
  const people = [
    'مريم الحسن',
    'נועה לוי',
    'สมชาย ใจดี',
    'राजेन्द्र प्रसाद',
    '王𠮷田',
    'Константин',
    'Ευγενία',
    'Nguyễn Huệ',
  ]
  for (const name of people) {
    const zpl = textOf(await printer.print('zpl', [to(name, '12 Main Street')]))
    const pictures = [...zpl.matchAll(/\^GFA,(\d+),(\d+),(\d+),([0-9A-F]*)\^FS/g)]
    t.equal(pictures.length, 1, name)
    for (const [, count, total, across, hex = ''] of pictures) {
      t.equal(count, total)
      t.equal(hex.length, 2 * Number(total))
      t.equal(Number(total) % Number(across), 0, 'whole rows')
      t.match(hex, /[1-9A-F]/)
    }
    t.ok(zpl.includes('^FD12 Main Street^FS'), 'what printers have is text')
  }
})

t.test('given sizes and dots, when a label is printed, then its paper and its bars fit them', async (t) => {
  const cases: readonly (readonly [Partial<LabelSetup>, string, string])[] = [
    [{}, '^PW799^LL1199^LH0,12', '^BY3'],
    [{ dpi: 300 }, '^PW1181^LL1772^LH0,18', '^BY5'],
    [{ size: '4x6' }, '^PW812^LL1218^LH6,22', '^BY3'],
    [{ size: '4x6', dpi: 300 }, '^PW1200^LL1800^LH9,32', '^BY5'],
    [{ size: 'a6' }, '^PW839^LL1183^LH20,4', '^BY3'],
    [{ size: 'a6', dpi: 300 }, '^PW1240^LL1748^LH30,6', '^BY5'],
  ]
  for (const [setup, paper, bars] of cases) {
    const zpl = textOf(await printer.print('zpl', [label], setup))
    t.ok(zpl.includes(paper), `${paper} in ${zpl.slice(0, 60)}`)
    t.ok(zpl.includes(bars), bars)
  }
})

t.test('given four labels on a page, when more are printed, then pages begin where they are full', async (t) => {
  const pages = async (count: number, start_at: number) => {
    const labels = Array.from({ length: count }, () => label)
    const pdf = Buffer.from(await printer.print('pdf', labels, { size: 'a4_four', start_at }), 'base64')
    const text = pdf.toString('latin1')
    t.match(text, /MediaBox \[0 0 595\.2\d* 841\.8\d*\]/)
    return /\/Count (\d+)/.exec(text)?.[1]
  }
  t.equal(await pages(4, 1), '1')
  t.equal(await pages(5, 1), '2')
  t.equal(await pages(2, 3), '1')
  t.equal(await pages(2, 4), '2')
  t.equal(await pages(9, 2), '3')
})

t.test('given text of both directions, when it is set, then each run is where it is read', async (t) => {
  const fonts = await openFonts(fontsIn(t.testdir({})), [])
  const set = async (text: string) => {
    const words = await wordsOf({ text, member: 'to.name' }, fonts)
    return linesOf(words, 100, measuring()).map(({ runs, isRightToLeft }) => ({
      text: runs.map(({ run }) => run.text).join('|'),
      isRightToLeft,
    }))
  }
  const cases = [
    ['Ann Lee', 'Ann|Lee', false],
    ['مريم علي', 'علي|مريم', true],
    ['نهج 12 بيروت', 'بيروت|12|نهج', true],
    ['Dar مريم علي 5', 'Dar|5|علي|مريم', false],
    ['(נועה)', ')|נועה|(', true],
    ['רחוב Main 5, תל', 'תל|,|Main|5|רחוב', true],
  ] as const
  for (const [text, expected, isRightToLeft] of cases)
    t.same(await set(text), [{ text: expected, isRightToLeft }], text)
})

t.test('given letters that join, turn or carry marks, when they are set, then as their script asks for', async (t) => {
  const fonts = await openFonts(fontsIn(t.testdir({})), [])
  const glyphsOf = async (text: string) => {
    const { words } = await wordsOf({ text, member: 'to.name' }, fonts)
    const [run] = words.flatMap(({ runs }) => runs)
    const glyphs = run?.font.font.layout(run.text).glyphs ?? []
    const alone = [...text].map((letter) => run?.font.font.glyphForCodePoint(letter.codePointAt(0) ?? 0).id)
    return { ids: glyphs.map(({ id }) => id), alone }
  }
  const arabic = await glyphsOf('مريم')
  t.equal(arabic.ids.length, 4)
  t.not(arabic.ids.at(-1), arabic.alone[0], 'the first letter joins the next one, and is at the right')
  t.not(arabic.ids[0], arabic.alone[3], 'the last letter joins the one before')
  const lam = await glyphsOf('لا')
  t.ok(
    lam.ids.every((id) => !lam.alone.includes(id)),
    'lam and alef join in their own way',
  )
  const hebrew = await glyphsOf('נועה')
  t.same(hebrew.ids, hebrew.alone.toReversed(), 'Hebrew letters do not join, but turn')
  const [low, high] = [await glyphsOf('ท่'), await glyphsOf('ที่')]
  t.not(high.ids.at(-1), low.ids.at(-1), 'a mark above another one is in another place')
  t.ok((await glyphsOf('क्षत्रिय')).ids.length < [...'क्षत्रिय'].length, 'consonants of Devanagari join')
})

t.test('given a house number in digits of Arabic, when it is set, then its first digit is at the left', async (t) => {
  const fonts = await openFonts(fontsIn(t.testdir({})), [])
  for (const number of ['١٢', '٢٠٤', '123'])
    for (const text of [`شارع ${number}`, number, `Flat ${number}`]) {
      const { words } = await wordsOf({ text, member: 'to.street' }, fonts)
      const runs = words.at(-1)?.runs ?? []
      const drawn = runs.flatMap(({ font: { font }, text }) => font.layout(text).glyphs.map(({ id }) => id))
      const alone = [...number].map((digit) => runs[0]?.font.font.glyphForCodePoint(digit.codePointAt(0) ?? 0).id)
      t.same(drawn, alone, text)
    }
})

t.test('given levels, when a line is ordered, then runs of higher levels turn within lower ones', async (t) => {
  const ordered = (...levels: number[]) =>
    fromLeft(levels.map((level, name) => ({ level, name }))).map(({ name }) => name)
  t.same(ordered(0, 1, 1, 0), [0, 2, 1, 3])
  t.same(ordered(1, 2, 2, 1), [3, 1, 2, 0])
  t.same(ordered(), [])
  t.equal((await levelsOf('Ann')).base, 0)
})

t.test('given what nobody can see, when it is printed, then it is left out and turns nothing', async (t) => {
  for (const name of ['a\u202eb', 'a\u200bb', '\ufeffab', 'a\u00adb', '\u2068ab\u2069', 'a\u2060b'])
    t.ok(textOf(await printer.print('zpl', [to(name, 'Street')])).includes('^FDab^FS'), JSON.stringify(name))
})

async function refused(printing: Promise<unknown>) {
  const error = await printing.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return isEngineError(error, 'unprintable_text') ? error.params : error
}

t.test(
  'given some letters that no font has, when they are printed, then marks are, and the letters are told',
  async (t) => {
    for (const format of ['pdf', 'zpl'] as const) {
      t.same(await printer.unprinted(format, [to('Ann 😀', 'Street')]), [{ member: 'to.name', letters: '😀' }])
      t.same(await printer.unprinted(format, [to('王小明䶮', 'Street')]), [{ member: 'to.name', letters: '䶮' }])
      t.same(await printer.unprinted(format, [{ ...label, note: 'ขอบคุณ ⵣⵣⴰ ⵣ' }]), [{ member: 'note', letters: 'ⵣⴰ' }])
      const from = { name: 'ⵣⵣⴰ', lines: [] }
      t.same(
        await printer.unprinted(format, [
          { ...label, from },
          { ...label, from },
        ]),
        [{ member: 'from.name', letters: 'ⵣⴰ' }],
      )
      t.same(await printer.unprinted(format, [to('مريم', 'شارع الحمرا')]), [])
    }
  },
)

t.test('given a recipient whom nobody could read, when its label is printed, then that is refused', async (t) => {
  for (const format of ['pdf', 'zpl'] as const) {
    const print = (name: string, street: string) => refused(withoutFolders.print(format, [to(name, street)], usual))
    t.same(await print('𠮷𡈽', 'Street'), { member: 'to.name', character: '𠮷' })
    t.same(await print('Ann', 'ⵣⵣⴰ 5'), { member: 'to.address', character: 'ⵣ' })
    t.equal(await refused(printer.print(format, [to('𠮷𡈽', 'Street')])), undefined, 'a folder has these letters')
  }
})

t.test('given a damaged font in a folder, when letters are looked for, then other fonts are taken', async (t) => {
  const damaged = t.testdir({
    'a.ttf': 'no font',
    'b.otf': '\0\x01\0\0\0\x7f',
    'c.ttc': 'ttcf\0\0\0\0\xff\xff\xff\xff',
    below: {},
  })
  const fonts = await openFonts(fontsIn(t.testdir({ other: {} })), [damaged, '/no/such/folder'])
  t.equal(await fonts.with('𠮷', 400), undefined)
  t.match(await fonts.with('م', 700), { name: 'noto-sans-arabic-arabic-700-normal.woff' })
  t.match(await fonts.with('क', 400), { name: 'noto-sans-devanagari-400-normal.woff' })
})

t.test('given a map of letters, when one is looked for, then only those in it are found', (t) => {
  // Two tables: A to C in format 4, whose last segment is U+FFFF alone, and U+20BB7 and U+20BB8 in format 12.
  const head = '0000 0002 0003 0001 00000014 0003 000a 00000034'
  const segments = '0004 0020 0000 0004 0004 0001 0000 0043 ffff 0000 0041 ffff 0001 0001 0000 0000'
  const groups = '000c 0000 0000001c 00000000 00000001 00020bb7 00020bb8 00000005'
  const map = Buffer.from(`${head}${segments}${groups}`.replaceAll(' ', ''), 'hex')
  for (const letter of ['A', 'C', '\u{20bb7}', '\u{20bb8}']) t.ok(hasLetter(map, letter.codePointAt(0) ?? 0), letter)
  for (const letter of ['@', 'D', '\u{20bb6}', '\u{20bb9}', '\uffff'])
    t.notOk(hasLetter(map, letter.codePointAt(0) ?? 0), letter)
  t.end()
})
