import { languagesWith } from '../../adapters/locales/catalogue.ts'
import { statusOf } from '../../adapters/rest/status.ts'
import { type Code, en, messageOf, type Operation } from '../../engine/index.ts'
import { code, codes, page, plain, table } from './markdown.ts'

/** The status of a refusal without its own status. */
const unprocessable = 422

/** Every code of the engine with its English message. */
export function errorsPage(operations: readonly Operation[]): string {
  const named = new Set<Code>(['invalid_input', ...operations.flatMap(({ errors }) => errors)])
  const all = Object.keys(en) as Code[]
  const isRefusal = (word: Code) => named.has(word) || statusOf(word) !== unprocessable
  const refusals = all.filter(isRefusal).sort((a, b) => statusOf(a) - statusOf(b))
  return page(
    'Codes of errors and warnings',
    ['engine/domains/index.ts', 'adapters/rest/status.ts'],
    [
      `Test the code, and show the message: codes never change, messages may. \`{name}\` is a placeholder for a value. Messages
are in the language of \`Accept-Language\` (on the command line, of the environment):
${codes(languagesWith('code'))}.`,
      '## Refusals of a whole request',
      `The body is \`{"result": false, "code", "message"}\`, with \`errors\` if there are details. The command line
prints the message and ends with exit code 1. Some of these codes also occur for a single event of an ingest
(\`malformed_json\`, \`ambiguous_identifier\`) or for a number of a batch.`,
      table(
        ['HTTP', 'code', 'message'],
        refusals.map((word) => [String(statusOf(word)), code(word), plain(messageOf(word, {}, en))]),
      ),
      '## Findings about a value',
      `Findings have a path (\`events[0].occurred_at\`). They occur in \`errors\` of a refused request, in \`errors\` and \`warnings\`
of an event of an ingest, in the response of the validator, or for a number of a batch. They have no HTTP status.`,
      table(
        ['code', 'message'],
        all.filter((word) => !isRefusal(word)).map((word) => [code(word), plain(messageOf(word, {}, en))]),
      ),
    ],
  )
}
