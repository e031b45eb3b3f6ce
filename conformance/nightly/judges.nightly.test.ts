import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { createLabelPrinter } from '../../adapters/labels/index.ts'
import { seenIn, usual } from '../../adapters/labels/labels.test.fixture.ts'
import { descriptionFiles } from '../../docs/generate/pages.ts'
import { enums } from '../judges/amazon/schema.ts'
import { projectFile } from '../program/files.ts'

const from = projectFile('conformance', 'nightly', 'package.json')
const require = createRequire(from)
const isInstalled = existsSync(projectFile('conformance', 'nightly', 'node_modules'))
const skip = isInstalled ? false : 'not installed: npm ci --prefix conformance/nightly'

t.test(
  'given the enums of the schema of Amazon documents, then they are those of the official SDK',
  { skip },
  async (t) => {
    const main = require.resolve('@amazon-sp-api-release/amazon-sp-api-sdk-js')
    for (const [name, words] of Object.entries(enums)) {
      const file = join(main, '..', 'src', 'shipping_v2', 'model', `${name}.js`)
      const module: Readonly<Record<string, object>> = await import(pathToFileURL(file).href)
      const official = Object.values(module[name] ?? {}).filter((value) => typeof value === 'string')
      t.strictSame(words.split(' ').sort(), [...new Set(official)].sort(), name)
    }
  },
)

/** What is used of the parser of AsyncAPI. */
interface AsyncapiParser {
  readonly Parser: new () => {
    parse(text: string): Promise<{ readonly diagnostics: readonly { readonly severity: number }[] }>
  }
}

t.test(
  'given the description of webhooks, when the parser of AsyncAPI reads it, then it finds no error',
  { skip },
  async (t) => {
    const { Parser } = require('@asyncapi/parser') as AsyncapiParser
    const errorsIn = async (text: string) => {
      const { diagnostics } = await new Parser().parse(text)
      return diagnostics.filter(({ severity }) => severity === 0)
    }
    t.same(await errorsIn(descriptionFiles().get('asyncapi-webhooks.json') ?? ''), [])
    t.not((await errorsIn('{"asyncapi":"3.0.0","channels":{}}')).length, 0, 'it finds one where there is one')
  },
)

t.test(
  'given the whole fonts of Chinese, Japanese and Korean, when labels are printed, then their letters are in the document',
  { skip },
  async (t) => {
    const words = [
      '王小明',
      '北京市朝阳区建国路88号',
      '山田さくら',
      '東京都千代田区丸の内',
      '김민수',
      '서울특별시강남구',
    ]
    const to = { name: words[0] ?? '', lines: words.slice(1) }
    const label = { from: to, to, number: 'LD1', service: 'SAME-DAY', parcel: { number: 1, of: 1 } }
    const { content } = await createLabelPrinter({ from, folders: [] }).print('pdf', [label], usual)
    const [page] = await seenIn(content)
    const printed = page?.lines.join('').replaceAll(' ', '') ?? ''
    for (const word of words) t.ok(printed.includes(word), word)
  },
)
