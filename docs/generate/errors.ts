import { statusOf } from '../../adapters/rest/status.ts'
import { type Code, en, languages, messageOf, type Operation } from '../../engine/index.ts'
import { code, codes, page, plain, table } from './markdown.ts'

/** The status of a refusal that has none of its own. */
const unprocessable = 422

/** Every code that the engine answers with, and what it says in English. */
export function errorsPage(operations: readonly Operation[]): string {
  const named = new Set<Code>(['invalid_input', ...operations.flatMap(({ errors }) => errors)])
  const all = Object.keys(en) as Code[]
  const isRefusal = (word: Code) => named.has(word) || statusOf(word) !== unprocessable
  const refusals = all.filter(isRefusal).sort((a, b) => statusOf(a) - statusOf(b))
  return page(
    'Codes of errors and warnings',
    ['engine/domains/index.ts', 'adapters/rest/status.ts'],
    [
      `Test the code, and show the message: codes stay, messages are worded anew. \`{name}\` stands for a value. Messages
come in the language of \`Accept-Language\` (of the environment on the command line):
${codes(Object.keys(languages))}.`,
      '## Refusals of a whole request',
      `The body is \`{"result": false, "code", "message"}\`, with \`errors\` where there is more to tell. The command line
prints the message and ends with exit code 1. Some of these codes are also found on a single event of an ingest
(\`malformed_json\`, \`ambiguous_identifier\`) or on a number of a batch.`,
      table(
        ['HTTP', 'code', 'message'],
        refusals.map((word) => [String(statusOf(word)), code(word), plain(messageOf(word, {}, en))]),
      ),
      '## Findings about a value',
      `Found at a path (\`events[0].occurred_at\`): in \`errors\` of a refused request, in \`errors\` and \`warnings\` of an
event of an ingest, in the answer of the validator, or on a number of a batch. They have no HTTP status of their own.`,
      table(
        ['code', 'message'],
        all.filter((word) => !isRefusal(word)).map((word) => [code(word), plain(messageOf(word, {}, en))]),
      ),
    ],
  )
}
