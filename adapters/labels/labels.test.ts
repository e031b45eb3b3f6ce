import t from 'tap'
import { isEngineError } from '../../engine/index.ts'
import { createLabelPrinter } from './index.ts'
import { label, to } from './sample.test.fixture.ts'

const printer = createLabelPrinter()

t.test('given labels, when they are printed, then they are a document or commands for a printer', async (t) => {
  const printed = async (format: 'pdf' | 'zpl') =>
    Buffer.from(await printer.print(format, [label, label]), 'base64').toString('latin1')
  t.match(await printed('pdf'), /^%PDF-1[\s\S]*\/Count 2\b/)
  t.equal((await printed('zpl')).match(/\^XA[\s\S]*?\^XZ/g)?.length, 2)
})

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
