import t from 'tap'
import { isEngineError } from '../../engine/index.ts'
import { codeOf } from './codes.ts'
import { createLabelPrinter } from './index.ts'
import { label, to } from './sample.test.fixture.ts'

const printer = createLabelPrinter()

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
      const zpl = Buffer.from(await printer.print('zpl', [{ ...label, number }]), 'base64').toString('latin1')
      t.ok(zpl.includes(command), command)
    }
  },
)

async function refused(printing: Promise<string>) {
  const error = await printing.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return isEngineError(error, 'unprintable_text') ? error.params : error
}

t.test(
  'given letters that no font has, when they are printed, then that is refused and no box is printed',
  async (t) => {
    for (const name of ['مرحبا', 'נועה', 'नमस्ते', 'สวัสดี', 'Ann 😀', 'a\u202eb']) {
      const refusal = await refused(printer.print('pdf', [to(name, 'Street')]))
      t.match(refusal, { member: 'to.name', character: /./u }, name)
    }
    t.same(await refused(printer.print('zpl', [to('Łucja', 'Street')])), { member: 'to.name', character: 'Ł' })
  },
)
