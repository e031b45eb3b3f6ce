import { TextlintKernel, type TextlintRuleModule } from '@textlint/kernel'
import markdown from '@textlint/textlint-plugin-markdown'

/** Words that a reader stumbles over, each with what to write instead. */
const advice: readonly (readonly [words: RegExp, instead: string])[] = [
  [/\bstands\b/gi, 'is, is listed, or has its place'],
  [/\b(?:is|are|was|were|be|been)\s+told\b/gi, 'is notified, gets, or is reported'],
  [/\bwhoever\b/gi, 'everybody who, the person who, or the one that'],
  [/\bof\s+(?:its|their|our|your|his|her|my)\s+own\b(?!\s+\w)/gi, 'its own, or separate, before the noun'],
  [/\banew\b/gi, 'again, or re- before the verb'],
]

/** The words of a text that there is advice for, in order: where each is, and what to write instead. */
function adviceOn(text: string): readonly { readonly index: number; readonly message: string }[] {
  const found = advice.flatMap(([words, instead]) =>
    [...text.matchAll(words)].map(({ 0: word, index }) => ({ index, message: `"${word}": write ${instead}` })),
  )
  return found.sort((one, other) => one.index - other.index)
}

const rule: TextlintRuleModule = ({ Syntax, RuleError, report, getSource, locator }) => ({
  [Syntax.Str](node) {
    for (const { index, message } of adviceOn(getSource(node)))
      report(node, new RuleError(message, { padding: locator.at(index) }))
  },
})

/** A sentence with the line for each word of a page in Markdown that plain English has a better one for. */
export async function stumblingWords(page: string): Promise<readonly string[]> {
  const { messages } = await new TextlintKernel().lintText(page, {
    ext: '.md',
    plugins: [{ pluginId: 'markdown', plugin: markdown.default }],
    rules: [{ ruleId: 'plain-words', rule }],
  })
  return messages.map(({ message, loc }) => `line ${loc.start.line}: ${message}`)
}

/** The same for plain text, such as the comments of code. */
export function stumblesIn(text: string): readonly string[] {
  return adviceOn(text).map(({ index, message }) => `line ${text.slice(0, index).split('\n').length}: ${message}`)
}
